import type { BlockMetadata } from "./BlockMetadata.js";
import type { DagView } from "./DagView.js";
import type { YieldToEventLoop } from "./yieldToEventLoop.js";

/**
 * The ancestors of a block that are not finalized, through all parents; a finalized block ends the way.
 *
 * @spec 40 §6.4
 */
export function unfinalizedAncestors(dag: DagView, block: BlockMetadata): BlockMetadata[] {
  const found: BlockMetadata[] = [];
  const seen = new Set<string>([block.key]);
  const waiting: BlockMetadata[] = [block];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const hash of next.parents) {
      const parent = dag.find(hash);
      if (parent === undefined || parent.finalized || seen.has(parent.key)) continue;
      seen.add(parent.key);
      found.push(parent);
      waiting.push(parent);
    }
  }
  return found;
}

/** Blocks that are walked before others get their turn: some milliseconds. */
const stepsAtOnce = 1_000;

/**
 * Whether all of these blocks are the one given, or ancestors of it, through all parents.
 *
 * One walk for all of them, which yields to the event loop: the creator of a block chooses how far down it leads.
 *
 * @spec 40 §5.4 (check 10)
 * @cost the blocks between the highest of them and the lowest
 */
export async function areAncestorsOrSelf(
  dag: DagView,
  ancestors: readonly BlockMetadata[],
  of: BlockMetadata,
  yieldNow: YieldToEventLoop,
): Promise<boolean> {
  const left = new Set(ancestors.map(({ key }) => key));
  const lowest = ancestors.reduce((least, { number }) => (number < least ? number : least), of.number);
  const seen = new Set<string>();
  const waiting: BlockMetadata[] = [of];
  let steps = 0;
  for (let next = waiting.pop(); next !== undefined && left.size > 0; next = waiting.pop()) {
    left.delete(next.key);
    // As in isAncestorOrSelf: an invalid block may state any height.
    if (!next.invalid && next.number <= lowest) continue;
    if (++steps % stepsAtOnce === 0) await yieldNow();
    for (const hash of next.parents) {
      const parent = dag.find(hash);
      if (parent === undefined || seen.has(parent.key)) continue;
      seen.add(parent.key);
      waiting.push(parent);
    }
  }
  return left.size === 0;
}

/**
 * Whether a block is another one or an ancestor of it, through all parents that the DAG has.
 *
 * @spec 40 §5.4 (check 10)
 * @cost the blocks between the two heights: an ancestor of a valid block is lower than it
 */
export function isAncestorOrSelf(dag: DagView, ancestor: BlockMetadata, of: BlockMetadata): boolean {
  const seen = new Set<string>();
  const waiting: BlockMetadata[] = [of];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.key === ancestor.key) return true;
    // A block recorded as invalid may state any height: only a valid block's height shows that the search is too low.
    if (!next.invalid && next.number <= ancestor.number) continue;
    for (const hash of next.parents) {
      const parent = dag.find(hash);
      if (parent === undefined || seen.has(parent.key)) continue;
      seen.add(parent.key);
      waiting.push(parent);
    }
  }
  return false;
}
