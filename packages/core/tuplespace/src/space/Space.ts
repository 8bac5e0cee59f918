import type { ConsumeEvent, Event, ProduceEvent } from "@vedette/protocol";
import type { BindPattern, ListParWithRandom, Par, TaggedContinuation } from "@vedette/terms";
import type { ProduceCounts } from "../event/ProduceCounts.js";
import type { WriteWithState } from "../history/WriteWithState.js";
import type { Datum } from "../leaf/Datum.js";
import type { WaitingContinuation } from "../leaf/WaitingContinuation.js";

/**
 * Matches one bind's patterns against one datum.
 *
 * @spec 30 §1.4, 22 §2.1
 * @returns the values of the bind's variables with the datum's random state, or `undefined`
 */
export type MatchDatum = (pattern: BindPattern, data: ListParWithRandom) => ListParWithRandom | undefined;

/** The datum that a match took from one channel. @spec 30 §1.5 */
export class MatchedDatum {
  constructor(
    readonly channel: Par,
    /** The values of the bind's variables. */
    readonly matched: ListParWithRandom,
    /** The sent data. */
    readonly removed: ListParWithRandom,
    readonly persistent: boolean,
  ) {}
}

/** A continuation that met its data. @spec 30 §1.5, §1.6 */
export interface SpaceMatch {
  readonly continuation: TaggedContinuation;
  readonly persistent: boolean;
  readonly peek: boolean;
  /** Indices of the binds that only look, ascending. */
  readonly peeks: readonly number[];
  /** In the order that was used for the match, which after a checkpoint need not be the binds' (30 §1.10(1)). */
  readonly channels: readonly Par[];
  readonly patterns: readonly BindPattern[];
  readonly results: readonly MatchedDatum[];
}

/** The match of a consume. @spec 30 §1.5 */
export interface ConsumeMatch extends SpaceMatch {
  /** May be handed to the next consume of the same arguments, which need not be hashed again then. */
  readonly event: ConsumeEvent;
}

/** The match of a produce. @spec 30 §1.6 */
export interface ProduceMatch extends SpaceMatch {
  /** In replay the recorded one, with its outputs. May be handed to the next produce of the same arguments. */
  readonly event: ProduceEvent;
}

/** A moment to go back to, and the log up to it. @spec 30 §3.5 */
export interface SoftCheckpoint {
  /** In the order of the dialect: newest first on rnode networks. Empty in replay. */
  readonly log: readonly Event[];
  readonly produceCounts: ProduceCounts;
  /** Position in the journal of the space. */
  readonly journalLength: number;
}

/** A committed state and the log that led to it, in the order of the dialect. @spec 30 §3.5, 61 §3 */
export interface SpaceCheckpoint {
  readonly root: Uint8Array;
  readonly log: readonly Event[];
}

/** The tuple space as an evaluation sees it. @spec 30 §1 */
export interface Space {
  /**
   * @param known the event of these same arguments, if the caller has it from an earlier match
   * @returns the match, or `undefined` when the datum was stored
   * @throws {SpaceError} in replay, `commNotInTrace`
   */
  produce(channel: Par, data: ListParWithRandom, persist: boolean, known?: ProduceEvent): ProduceMatch | undefined;

  /**
   * @param peeks indices of the binds that only look
   * @param known the event of these same arguments, if the caller has it from an earlier match
   * @returns the match, or `undefined` when the continuation was stored
   * @throws {SpaceError} `noChannels`, `patternCount`; in replay, `commNotInTrace`
   */
  consume(
    channels: readonly Par[],
    patterns: readonly BindPattern[],
    continuation: TaggedContinuation,
    persist: boolean,
    peeks: readonly number[],
    known?: ConsumeEvent,
  ): ConsumeMatch | undefined;

  /** Attaches a built-in process; remembered over resets. @throws {SpaceError} `installMatched`, `patternCount` */
  install(channels: readonly Par[], patterns: readonly BindPattern[], continuation: TaggedContinuation): void;

  /** Replaces a produce in the log by what is known of it after an outside call. @spec 30 §3.3 */
  updateProduce(event: ProduceEvent): void;

  /** In list order. */
  data(channel: Par): readonly Datum[];
  /** In list order, installed first. */
  continuations(channels: readonly Par[]): readonly WaitingContinuation[];
  /** In list order, installed first. */
  joins(channel: Par): readonly (readonly Par[])[];

  /** Takes the log and clears it and the counter of produces. */
  softCheckpoint(): SoftCheckpoint;
  /** Goes back to an earlier moment since the last reset. @throws {SpaceError} `checkpointGone` */
  revert(to: SoftCheckpoint): void;
  /** Opens another state. @throws {SpaceError} `unknownRoot` */
  reset(root: Uint8Array): void;
  /**
   * Commits the state and opens it.
   *
   * @param also writes that become durable together with the state
   * @throws {SpaceError} `replayDataLeft`; {HistoryError} `duplicateAction`
   */
  checkpoint(also?: WriteWithState): SpaceCheckpoint;
}
