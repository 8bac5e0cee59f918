import type { WritableTables } from "@vedette/store";
import type { BlockMetadata } from "./dag/BlockMetadata.js";

/**
 * The changes that one transaction makes to the chain. Blocks are given in their state before it. @spec 40 §6.2, §6.4
 */
export type ChainChange =
  /** The chain begins with this block, which is final; the DAG's earlier content was removed. */
  | { readonly type: "begun"; readonly block: BlockMetadata }
  /** A block was added to the DAG; `reason`, if given, is why it is invalid. */
  | { readonly type: "inserted"; readonly block: BlockMetadata; readonly reason: string | undefined }
  /** An invalid block has become valid; `block` is its present state. @spec 40 §17.4 */
  | { readonly type: "revised"; readonly block: BlockMetadata }
  /** A block was finalized, and with it those of its ancestors that had not been. */
  | { readonly type: "finalized"; readonly block: BlockMetadata; readonly ancestors: readonly BlockMetadata[] };

/**
 * Writes what belongs to a change, in the transaction of the change.
 *
 * It must not throw for what it finds in the chain: that would keep the node from following.
 */
export type RecordChange = (tables: WritableTables, change: ChainChange) => void;
