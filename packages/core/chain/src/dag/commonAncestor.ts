import { compareSignedBytes } from "@vedette/crypto";
import type { BlockMetadata } from "./BlockMetadata.js";
import type { DagView } from "./DagView.js";

/**
 * The lowest universal common ancestor of two blocks: the one block through which all ways down lead.
 *
 * @spec 40 §7.3
 * @cost the blocks between the higher one and the result
 */
export function commonAncestor(dag: DagView, left: BlockMetadata, right: BlockMetadata): BlockMetadata {
  const open = new Map<string, BlockMetadata>([
    [left.key, left],
    [right.key, right],
  ]);
  for (;;) {
    const highest = highestOf(open);
    if (open.size === 1) return highest;
    open.delete(highest.key);
    for (const hash of highest.parents) {
      const parent = dag.find(hash);
      if (parent !== undefined) open.set(parent.key, parent);
    }
  }
}

function highestOf(open: ReadonlyMap<string, BlockMetadata>): BlockMetadata {
  let highest: BlockMetadata | undefined;
  for (const block of open.values()) if (highest === undefined || isAbove(block, highest)) highest = block;
  // The callers never pass an empty map.
  return highest as BlockMetadata;
}

function isAbove(left: BlockMetadata, right: BlockMetadata): boolean {
  if (left.number !== right.number) return left.number > right.number;
  return compareSignedBytes(left.hash, right.hash) > 0;
}
