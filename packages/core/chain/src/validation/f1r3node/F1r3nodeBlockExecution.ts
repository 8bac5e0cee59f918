import type { Bond, RejectedDeploy } from "@vedette/protocol";
import type { ReplayOutcome, ReplayRequest } from "../BlockExecution.js";

/** The merge of several parents, as far as it needs the states. @spec 61 §12.3 */
export interface F1r3nodeMerge {
  /** Post-state of the anchor. */
  readonly baseState: Uint8Array;
  /** Hashes of the blocks to merge, ascending. */
  readonly merged: readonly Uint8Array[];
  /** Hashes of the anchor's own blocks since the parents parted. */
  readonly lineage: readonly Uint8Array[];
  /** `hashKey`s of signatures with effects in the main parent's state. */
  readonly settled: ReadonlySet<string>;
  /** The time of deploys that are valid after no later block is over. */
  readonly lateUpTo: bigint;
  /** The rejections that blocks of the scope have recorded. */
  readonly recorded: readonly RejectedDeploy[];
  /** How often deploys were given up before, by hex of the signature, where that decides. */
  readonly priorRejections: ReadonlyMap<string, number>;
  /** Whether only states that are here count, and none is fetched. @spec 61 §14.4 */
  readonly isLocal?: boolean;
}

/** The state that the parents leave together. @spec 61 §12 */
export interface F1r3nodeState {
  readonly stateHash: Uint8Array;
  readonly records: readonly RejectedDeploy[];
  readonly applied: readonly Uint8Array[];
  /** Hashes of the merged blocks with slashes that were given up. @spec 61 §15.3 */
  readonly unslashed: readonly Uint8Array[];
}

/** Execution that the checks of f1r3node need. Rejections count as exceptions. @spec 61 §14.3 */
export interface F1r3nodeBlockExecution {
  /**
   * @throws {ChainError} `unmergeable` if the statements of the blocks contradict each other; `stateMissing` as
   * {@link replay}
   */
  merge(merge: F1r3nodeMerge): Promise<F1r3nodeState>;
  /** @throws {ChainError} `stateMissing` if a state is not here and may not be fetched */
  replay(request: ReplayRequest): Promise<ReplayOutcome>;
  /** The bonds of the active validators in a state. @spec 61 §13.6 */
  committee(stateHash: Uint8Array): Promise<readonly Bond[]>;
}
