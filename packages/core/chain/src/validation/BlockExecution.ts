import type { Block, Bond } from "@vedette/protocol";
import type { MergeScope } from "../merge/scope.js";

/** A block that was found invalid, and its creator. @spec 40 §5.5 */
export interface InvalidBlockFacts {
  readonly hash: Uint8Array;
  readonly sender: Uint8Array;
}

/** The state that several parents leave together. @spec 40 §12 */
export interface ParentsState {
  readonly stateHash: Uint8Array;
  readonly rejectedDeploys: readonly Uint8Array[];
}

/** The input of a block's replay. @spec 41 §4.2 */
export interface ReplayRequest {
  readonly block: Block;
  readonly preStateHash: Uint8Array;
  /** The invalid blocks that the block's creator could know. */
  readonly invalidBlocks: readonly InvalidBlockFacts[];
  /** Whether only states that are here count, and none is fetched; on f1r3node networks. @spec 61 §14.4 */
  readonly isLocal?: boolean;
}

/** `failed`: the block is wrong; `exception`: it could not be judged. @spec 40 §5.5 */
export type ReplayOutcome =
  | { readonly kind: "replayed"; readonly postStateHash: Uint8Array }
  | { readonly kind: "failed"; readonly message: string }
  /** `isLimit`: it takes more than this machine gives one block. */
  | { readonly kind: "exception"; readonly message: string; readonly isLimit?: boolean };

/** Execution of blocks that the chain needs. Rejections count as exceptions. @spec 40 §5.5, §5.6 */
export interface BlockExecution {
  /**
   * Returns the state that several parents leave: the scope's blocks merged on top of its base.
   *
   * Called only for blocks with more than one parent, and again with another scope when the result is not what the
   * block states.
   */
  parentsPostState(block: Block, scope: MergeScope): Promise<ParentsState>;
  replay(request: ReplayRequest): Promise<ReplayOutcome>;
  /** Returns the bonds in a state; called after the replay that led to it. */
  bonds(stateHash: Uint8Array): Promise<readonly Bond[]>;
}
