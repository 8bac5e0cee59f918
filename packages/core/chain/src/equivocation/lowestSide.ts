import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";

/** Own blocks that are looked at; more than a validator makes before an equivocation is forgotten (61 §15.2). */
const maxExamined = 2_000;

/**
 * The lowest block, from this one down the own blocks of its creator, beside which the creator made another: two blocks
 * at once. Nodes that heard of them in another order hold others of the creator's blocks for valid.
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
