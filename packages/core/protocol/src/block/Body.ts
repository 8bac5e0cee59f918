import type { ProcessedDeploy, ProcessedSystemDeploy } from "../deploy/processedDeploy.js";

/** A validator's stake. @spec 40 §1.1 (BondProto) */
export interface Bond {
  readonly validator: Uint8Array;
  readonly stake: bigint;
}

/**
 * The states before and after a block, the bonds of the later one, and the height.
 *
 * @spec 40 §1.1 (RChainStateProto)
 */
export interface ChainState {
  readonly preStateHash: Uint8Array;
  readonly postStateHash: Uint8Array;
  readonly bonds: readonly Bond[];
  readonly blockNumber: bigint;
}

/** The deploys of a block with their effects. @spec 40 §1.1 (BodyProto) */
export interface Body {
  readonly state: ChainState;
  readonly deploys: readonly ProcessedDeploy[];
  readonly systemDeploys: readonly ProcessedSystemDeploy[];
  readonly extraBytes: Uint8Array;
  readonly rejectedDeploys: readonly RejectedDeploy[];
  /** Signatures of the deploys that the merge of the parents took over. Of f1r3node. @spec 61 §12 */
  readonly appliedFromScope?: readonly Uint8Array[];
  /**
   * The block with the state on which the parents were merged; `undefined` if there was no merge. For f1r3node only.
   * @spec 61 §12
   */
  readonly mergeBase?: Uint8Array;
}

/** Ids of the deploys that the merge of the parents left out. */
export function rejectedIdsOf({ rejectedDeploys }: Body): Uint8Array[] {
  return rejectedDeploys.map(({ signature }) => signature);
}

/** A deploy that the merge of the parents left out. @spec 40 §1.1 (RejectedDeployProto), 61 §1.2 */
export interface RejectedDeploy {
  /** Its id. */
  readonly signature: Uint8Array;
  /** Left out because another copy of it was applied. Of f1r3node, as the next. */
  readonly duplicate?: boolean;
  /** Hash of the block that it was left out of. */
  readonly carrier?: Uint8Array;
}
