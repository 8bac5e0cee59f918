import type { BlockMetadata } from "@vedette/chain/finality";
import { hashKey } from "@vedette/protocol";

/** Bounds of a path, for servers and clients. @spec 70 §7 */
export const maxPathBlocks = 256;
/** @see maxPathBlocks */
export const maxPathBytes = 16 << 20;

/** Blocks that a search looks at. */
const maxLooks = 20_000;

/** The blocks in the past of which a path is looked for. */
export interface PathSource {
  find(hash: Uint8Array): BlockMetadata | undefined;
}

/** The goal of a path search. */
export interface PathSearch {
  /** Whether a block is the one that is looked for. */
  readonly isEnd: (block: BlockMetadata) => boolean;
  /** No block below this number is looked at. */
  readonly lowest: bigint;
  /** Whether it goes along main parents alone. */
  readonly isMain: boolean;
}

/**
 * Finds the shortest path from a block down to one in its past.
 *
 * @returns the blocks from `from` to the end; `undefined` where none is found within the bounds
 * @spec 70 §7
 * @cost at most 20,000 blocks of the DAG
 */
export function findPath(
  source: PathSource,
  from: BlockMetadata,
  search: PathSearch,
): readonly BlockMetadata[] | undefined {
  const above = new Map<string, BlockMetadata | undefined>([[from.key, undefined]]);
  let row: readonly BlockMetadata[] = [from];
  for (let length = 1; row.length > 0 && length <= maxPathBlocks; length += 1) {
    const end = row.find(search.isEnd);
    if (end !== undefined) return pathTo(end, above);
    row = row.flatMap((block) => takeParents(block, { source, search, above }));
  }
  return undefined;
}

/** The parents of a block that were not looked at yet; they are noted. */
function takeParents(
  block: BlockMetadata,
  {
    source,
    search: { isMain, lowest },
    above,
  }: { source: PathSource; search: PathSearch; above: Map<string, BlockMetadata | undefined> },
): readonly BlockMetadata[] {
  const found: BlockMetadata[] = [];
  for (const hash of isMain ? block.parents.slice(0, 1) : block.parents) {
    const parent = above.has(hashKey(hash)) || above.size >= maxLooks ? undefined : source.find(hash);
    if (parent === undefined || parent.number < lowest) continue;
    above.set(parent.key, block);
    found.push(parent);
  }
  return found;
}

function pathTo(end: BlockMetadata, above: ReadonlyMap<string, BlockMetadata | undefined>): BlockMetadata[] {
  const path: BlockMetadata[] = [];
  for (let at: BlockMetadata | undefined = end; at !== undefined; at = above.get(at.key)) path.unshift(at);
  return path;
}
