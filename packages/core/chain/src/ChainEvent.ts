import type { Block } from "@vedette/protocol";
import type { BlockMetadata } from "./dag/BlockMetadata.js";
import type { BlockStatus } from "./validation/BlockStatus.js";

/** The events of a chain, for logs, metrics and the event API. @spec 40 §8.4 */
export type ChainEvent =
  /** A valid block was inserted. */
  | { readonly type: "blockAdded"; readonly block: Block }
  /** A block was found not valid. `recorded`: it is in the DAG as an invalid one. */
  | { readonly type: "blockRefused"; readonly block: Block; readonly status: BlockStatus; readonly recorded: boolean }
  /**
   * A block that was recorded as invalid is valid after all, and `blockAdded` follows: validators with more than half
   * of the stake build on it, or on what made it invalid (`isOverruled: false`); on f1r3node networks, where a valid
   * block builds on it (also `isOverruled: false`). @spec 40 §17.4, 61 §15.5
   */
  | {
      readonly type: "blockRevalidated";
      readonly block: Block;
      readonly verdict: string;
      readonly isOverruled: boolean;
    }
  | { readonly type: "blockFinalized"; readonly block: Block }
  | { readonly type: "lastFinalizedChanged"; readonly hash: Uint8Array; readonly number: bigint }
  /** The new last finalized block does not build on the one before: validators have left what they voted for. */
  | { readonly type: "finalityReverted"; readonly before: BlockMetadata; readonly now: BlockMetadata }
  /** The search for a final block was given up, since the validators' agreement is too tangled. */
  | { readonly type: "finalitySkipped"; readonly reason: string };
