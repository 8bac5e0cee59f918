import type { Block } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { InvalidStatus } from "./BlockStatus.js";

/** Check 6: one more than the highest parent's. @spec 40 §5.3 */
export function checkBlockNumber(block: Block, parents: readonly BlockMetadata[]): InvalidStatus | undefined {
  let highest = -1n;
  parents.forEach((parent, i) => {
    if (i === 0 || parent.number > highest) highest = parent.number;
  });
  if (block.number === highest + 1n) return undefined;
  const highestParent = parents.length === 0 ? undefined : highest;
  return { status: "InvalidBlockNumber", number: block.number, highestParent };
}
