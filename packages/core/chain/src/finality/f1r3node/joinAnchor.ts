import { hashKey } from "@vedette/protocol";
import type { BlockMetadata } from "../../dag/BlockMetadata.js";
import type { DagView } from "../../dag/DagView.js";

/**
 * The number of heights below the last final block in which an anchor is searched. A joiner begins that much further
 * back and executes that many more blocks. While all validators make blocks at once there may be no anchor for long.
 */
const maxBack = 50n;
/** Blocks further below an anchor are built upon by none that is valid. @spec 61 §14.2, §16.4 */
const besideDepth = 40n;
const maxBlocks = 5_000;
/** A joiner of a lower chain fetches all of it, by the usual depths, and then nothing can be missing. @spec 61 §16.4 (step 2) */
const fetchedDepth = 75n;

/**
 * Returns the final block that a joiner should begin with.
 *
 * An f1r3node node treats no fetched block as final except the one it begins with. When a later block becomes final
 * there, it walks down all parents that are not final. A block beside the first one leads the walk below all blocks
 * that the node has. It then finds a block missing at every try, and finality stalls there for good. So the joiner gets
 * an anchor on which all later blocks build, if one exists near the last final block.
 *
 * @returns the last final block where there is none; `undefined` before there is a chain
 * @spec 61 §16.4
 * @cost the blocks of some hundred heights, for each block that is tried
 */
export function joinAnchor(dag: DagView): BlockMetadata | undefined {
  const last = dag.lastFinalized();
  if (last === undefined || last.number <= fetchedDepth) return last;
  const lowest = last.number - maxBack;
  const near = blocksAbove(dag, lowest - besideDepth);
  if (near === undefined) return last;
  for (let at: BlockMetadata | undefined = last; at !== undefined && at.number >= lowest; at = mainParentOf(dag, at))
    if (carriesAll(at, near)) return at;
  return last;
}

/**
 * Returns {@link joinAnchor}, computed again only when a validator's newest block or the last final one has changed:
 * any peer may request it at any rate.
 */
export function keptJoinAnchor(dag: DagView): () => BlockMetadata | undefined {
  let keptFor: string | undefined;
  let anchor: BlockMetadata | undefined;
  return () => {
    const newest = dag.latestMessages().map(({ hash }) => hashKey(hash));
    const state = [dag.lastFinalized()?.key, ...newest].join();
    if (state !== keptFor) anchor = joinAnchor(dag);
    keptFor = state;
    return anchor;
  };
}

/** By key; `undefined` where there are too many. */
function blocksAbove(dag: DagView, height: bigint): ReadonlyMap<string, BlockMetadata> | undefined {
  const found = new Map<string, BlockMetadata>();
  for (const { hash } of dag.blocksByHeight(height < 0n ? 0n : height, dag.nextBlockNumber(), maxBlocks + 1)) {
    const block = dag.require(hash);
    found.set(block.key, block);
  }
  return found.size > maxBlocks ? undefined : found;
}

function mainParentOf(dag: DagView, { mainParent }: BlockMetadata): BlockMetadata | undefined {
  return mainParent === undefined ? undefined : dag.find(mainParent);
}

/** Whether what is not in a block's past goes down to that past through this block alone. */
function carriesAll(anchor: BlockMetadata, near: ReadonlyMap<string, BlockMetadata>): boolean {
  const past = new Set([anchor.key]);
  const waiting = [anchor];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const parent of parentsIn(near, next))
      if (!past.has(parent.key)) {
        past.add(parent.key);
        waiting.push(parent);
      }
  const lowest = anchor.number - besideDepth;
  for (const block of near.values()) {
    if (past.has(block.key) || block.number < lowest) continue;
    const parents = parentsIn(near, block);
    const hasAllParents = parents.length === block.parents.length;
    if (!hasAllParents || parents.some(({ key }) => key !== anchor.key && past.has(key))) return false;
  }
  return true;
}

function parentsIn(near: ReadonlyMap<string, BlockMetadata>, { parents }: BlockMetadata): readonly BlockMetadata[] {
  return parents.flatMap((hash) => near.get(hashKey(hash)) ?? []);
}
