import { compareBytes, toHex } from "@vedette/crypto";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";

/** Which blocks are merged on top of which state, to be the state that a block with several parents begins with. */
export interface MergeScope {
  /** The block whose post-state the merge starts from. */
  readonly base: Uint8Array;
  readonly baseStateHash: Uint8Array;
  /** The blocks to merge, in ascending order of height, then hash. */
  readonly blocks: readonly Uint8Array[];
}

/** Views of finality that are tried for one block. */
const maximumViews = 8;

/**
 * The scopes that the creator of a block with these parents may have had, the most likely first.
 *
 * Quirk 40 §12.1: the reference takes the finality that a node happens to know, so that nodes with different last
 * finalized blocks compute different states for one block. The first scope is that of our own finality; the others
 * are those of every last finalized block that the creator can have known, from the highest down.
 *
 * @spec 40 §12.1, 30 §A.2
 * @cost each scope walks the blocks above what is final in it
 */
export function* mergeScopes(dag: DagView, parents: readonly BlockMetadata[]): Generator<MergeScope> {
  const tried = new Set<string>();
  const own = dag.lastFinalized();
  const views: Iterable<FinalityView> = finalityViews(dag, parents, own);
  for (const view of views) {
    const scope = scopeOf(dag, parents, view);
    if (scope === undefined) continue;
    const name = [scope.base, ...scope.blocks].map(toHex).join();
    if (tried.has(name)) continue;
    tried.add(name);
    yield scope;
    if (tried.size >= maximumViews) return;
  }
}

/** What is final, and the last finalized block. */
interface FinalityView {
  readonly lastFinalized: BlockMetadata | undefined;
  readonly isFinalized: (block: BlockMetadata) => boolean;
}

function* finalityViews(
  dag: DagView,
  parents: readonly BlockMetadata[],
  own: BlockMetadata | undefined,
): Generator<FinalityView> {
  yield { lastFinalized: own, isFinalized: (block) => block.finalized };
  let at = parents[0];
  for (let left = maximumViews; at !== undefined && left > 0; left -= 1) {
    const below = ancestorsOrSelf(dag, at, lowestOf(parents) - BigInt(maximumViews));
    yield { lastFinalized: at, isFinalized: (block) => below.has(block.key) };
    at = at.mainParent === undefined ? undefined : dag.find(at.mainParent);
  }
}

function scopeOf(dag: DagView, parents: readonly BlockMetadata[], view: FinalityView): MergeScope | undefined {
  const visible = new Map<string, BlockMetadata>();
  let common: Map<string, BlockMetadata> | undefined;
  for (const parent of parents) {
    const reached = reachedFrom(dag, parent, view);
    for (const [key, block] of reached) visible.set(key, block);
    const before = common;
    common = before === undefined ? reached : new Map([...before].filter(([key]) => reached.has(key)));
  }
  const base = highestOf(common ?? visible) ?? view.lastFinalized;
  if (base === undefined) return undefined;
  const below = ancestorsOrSelf(dag, base, lowestOf([...visible.values()]));
  const blocks = [...visible.values()].filter(({ key }) => !below.has(key)).sort(byHeight);
  return { base: base.hash, baseStateHash: base.postStateHash, blocks: blocks.map(({ hash }) => hash) };
}

/** A parent with all ancestors that can be reached from it without meeting a finalized block. */
function reachedFrom(dag: DagView, parent: BlockMetadata, view: FinalityView): Map<string, BlockMetadata> {
  const reached = new Map<string, BlockMetadata>([[parent.key, parent]]);
  const waiting = [parent];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const hash of next.parents) {
      const block = dag.find(hash);
      if (block === undefined || view.isFinalized(block) || reached.has(block.key)) continue;
      reached.set(block.key, block);
      waiting.push(block);
    }
  }
  return reached;
}

/** Keys of a block and of its ancestors down to a height. */
function ancestorsOrSelf(dag: DagView, block: BlockMetadata, lowest: bigint): ReadonlySet<string> {
  const found = new Set<string>([block.key]);
  const waiting = [block];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const hash of next.parents) {
      const parent = dag.find(hash);
      if (parent === undefined || parent.number < lowest || found.has(parent.key)) continue;
      found.add(parent.key);
      waiting.push(parent);
    }
  }
  return found;
}

function highestOf(blocks: ReadonlyMap<string, BlockMetadata>): BlockMetadata | undefined {
  return [...blocks.values()].sort(byHeight).at(-1);
}

function lowestOf(blocks: readonly BlockMetadata[]): bigint {
  let lowest = blocks[0]?.number ?? 0n;
  for (const block of blocks) if (block.number < lowest) lowest = block.number;
  return lowest;
}

function byHeight(left: BlockMetadata, right: BlockMetadata): number {
  if (left.number !== right.number) return left.number < right.number ? -1 : 1;
  return compareBytes(left.hash, right.hash);
}
