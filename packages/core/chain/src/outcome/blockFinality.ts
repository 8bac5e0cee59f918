import type { Store } from "@vedette/store";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";
import { knownFrom } from "./knownFrom.js";
import { undecidedKey } from "./undecidedBlocks.js";

type DecidedDag = Pick<DagView, "lastFinalized" | "approvedBlock" | "find">;

/**
 * Whether a valid block is final (`finalized`), never will be (`forkedAway`), or this node does not know which
 * (`pending`).
 */
export type BlockFinality = "finalized" | "pending" | "forkedAway";

/**
 * Returns the finality of a valid block.
 *
 * @param store has the tables of the chain environment
 * @spec 50 §4.1
 */
export function finalityOf(block: BlockMetadata, dag: DecidedDag, store: Store): BlockFinality {
  if (block.finalized) return "finalized";
  const last = dag.lastFinalized();
  if (last === undefined || block.number > last.number) return "pending";
  if (store.table("undecidedBlocks").has(undecidedKey(block.number, block.hash))) return "pending";
  return block.number < knownFrom(dag) ? "pending" : "forkedAway";
}
