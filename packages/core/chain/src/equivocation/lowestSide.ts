import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";

/** Own blocks that are looked at; more than a validator makes before an equivocation is forgotten (61 §15.2). */
const maxExamined = 2_000;

/**
 * Finds the lowest of the creator's blocks, from this one down, that has a sibling: another block on the same own
 * block. Nodes that received the two in another order find others of the creator's blocks valid.
 *
 * @returns `undefined` for a creator that is not seen to have done so, as far as the blocks are here
 * @spec 61 §15.5
 * @cost two look-ups for each own block, of which the nearest 2,000 are looked at
 */
export function lowestSide(
  block: BlockMetadata,
  dag: Pick<DagView, "find" | "ownBlocksAfter">,
): BlockMetadata | undefined {
  const { sender, senderKey } = block;
  if (sender.length === 0) return undefined;
  let lowest: BlockMetadata | undefined;
  let at: BlockMetadata | undefined = block;
  for (let steps = 0; steps < maxExamined && at?.senderKey === senderKey; steps += 1) {
    const before: Uint8Array | undefined = at.selfJustification;
    if (before === undefined) break;
    if (dag.ownBlocksAfter(sender, before).length > 1) lowest = at;
    at = dag.find(before);
  }
  return lowest;
}
