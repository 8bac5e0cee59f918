import { compareSignedBytes } from "@vedette/crypto";
import type { BlockMetadata } from "./BlockMetadata.js";
import type { DagView } from "./DagView.js";

/**
 * The lowest universal common ancestor of blocks: the one block through which all ways down lead.
 *
 * @param above there may be none above this height: then `undefined`, as for no blocks
 * @spec 40 §7.3
 * @cost the blocks between the highest one and the result
 */
export function commonAncestor(
  dag: Pick<DagView, "find">,
  blocks: readonly BlockMetadata[],
  above = -1n,
): BlockMetadata | undefined {
  /** In ascending order. */
  const open: BlockMetadata[] = [];
  const keys = new Set<string>();
  const add = (block: BlockMetadata): void => {
    if (keys.has(block.key)) return;
    keys.add(block.key);
    let at = open.length;
    while (at > 0 && isAbove(open[at - 1]!, block)) at -= 1;
    open.splice(at, 0, block);
  };
  blocks.forEach(add);
  while (open.length > 1) {
    const highest = open.pop()!;
    if (highest.number <= above) return undefined;
    keys.delete(highest.key);
    for (const hash of highest.parents) {
      const parent = dag.find(hash);
      if (parent !== undefined) add(parent);
    }
  }
  return open[0];
}

function isAbove(left: BlockMetadata, right: BlockMetadata): boolean {
  if (left.number !== right.number) return left.number > right.number;
  return compareSignedBytes(left.hash, right.hash) > 0;
}
