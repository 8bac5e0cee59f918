import type { Store } from "@vedette/store";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";
import { undecidedKey } from "./undecidedBlocks.js";

/** Whether a valid block is final, or will ever be. */
export type BlockFinality = "finalized" | "pending" | "forkedAway";

/**
 * Returns the finality of a valid block.
 *
 * @param store has the tables of the chain environment
 * @spec 40 §7, 50 §4.1
 */
export function decisionOf(block: BlockMetadata, dag: Pick<DagView, "lastFinalized">, store: Store): BlockFinality {
  if (block.finalized) return "finalized";
  const last = dag.lastFinalized();
  if (last === undefined || block.number > last.number) return "pending";
  return store.table("undecidedBlocks").has(undecidedKey(block.number, block.hash)) ? "pending" : "forkedAway";
}
