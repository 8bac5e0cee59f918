/** The request for a simulation. */
export interface SimulationRequest {
  readonly seed: number;
  /** Events with faults; after them all is well. */
  readonly steps: number;
  readonly execution: "fake" | "real";
  readonly rule: "evidence" | "arrival";
  /** The numbers of the faults that happen; all without. */
  readonly faults?: readonly number[] | undefined;
  /** The step at which all becomes well, before the steps are over. */
  readonly calmAtStep?: number | undefined;
  /** Whether there may be liars; without, where blocks are judged by evidence. */
  readonly liars?: boolean | undefined;
  /** Nodes at most, fewer than the seed would have. */
  readonly maxNodes?: number | undefined;
  /** Whether there are the kinds of faults that came later; with them if left out. */
  readonly laterFaults?: boolean | undefined;
  /** Whether observers keep the index of accounts. */
  readonly index?: boolean | undefined;
}

/** A node of the network. */
export interface PlannedNode {
  readonly name: string;
  /**
   * `twin`: runs with the key of another validator; `spare`: becomes a validator later; `joiner`: an observer that comes
   * late.
   */
  readonly role: "validator" | "liar" | "twin" | "spare" | "observer" | "joiner";
  /** The name of its key; `undefined` for observers. */
  readonly keyName: string | undefined;
  readonly stake: number;
  /** The step at which it first starts. */
  readonly startsAtStep: number;
  readonly beginning: "importState" | "replayAll";
  readonly slowness: number;
  readonly clockMs: number;
  /** Whether its disk loses at a power cut data that it reported as written. */
  readonly diskLies: boolean;
}
