import { type ChainRules, unlimitedParents } from "../../ChainRules.js";
import type { BlockMetadata } from "../../dag/BlockMetadata.js";
import type { DagView } from "../../dag/DagView.js";

/** A block and those below it, each the main parent of the one before, as far down as that height. */
export function mainChainOf(block: BlockMetadata, dag: DagView, lowest: bigint): BlockMetadata[] {
  const chain: BlockMetadata[] = [];
  let at: BlockMetadata | undefined = block;
  while (at !== undefined && at.number >= lowest) {
    chain.push(at);
    at = at.mainParent === undefined ? undefined : dag.require(at.mainParent);
  }
  return chain;
}

/** Whether a block may be a parent beside others. @spec 61 §14.2 */
export function isNear(
  { number }: BlockMetadata,
  others: readonly BlockMetadata[],
  { maximumParentDepth: depth }: Pick<ChainRules, "maximumParentDepth">,
): boolean {
  if (depth === undefined || depth === unlimitedParents) return true;
  return others.every((other) => other.number - number <= BigInt(depth));
}
