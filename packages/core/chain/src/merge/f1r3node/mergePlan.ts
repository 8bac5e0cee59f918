import { compareBytes } from "@vedette/crypto";
import { ChainError } from "../../ChainError.js";
import { AncestorWalk } from "../../dag/AncestorWalk.js";
import type { BlockMetadata } from "../../dag/BlockMetadata.js";
import type { DagView } from "../../dag/DagView.js";
import type { StateLineage } from "../../finality/f1r3node/StateLineage.js";

/** Parents further above the floor than this are not merged. @spec 61 §12.3 (step 3) */
const maxAboveFloor = 256n;
const maxBlocks = 20_000;

/** Where the pre-state of a block comes from. @spec 61 §12.1 */
export type MergePlan =
  /** It is a parent's post-state; `isNamed`: the block names that parent as its merge base. */
  { readonly kind: "parent"; readonly parent: BlockMetadata; readonly isNamed: boolean } | MergedScope;

/** The blocks to merge, and the base. @spec 61 §12.3 (steps 1 to 4) */
export interface MergedScope {
  readonly kind: "merge";
  /** Its post-state is the base: the merge base. */
  readonly anchor: BlockMetadata;
  readonly mainParent: BlockMetadata;
  readonly floor: BlockMetadata;
  /** The anchor's own blocks since the parents parted. */
  readonly lineage: readonly BlockMetadata[];
  /** All blocks in scope, in ascending order of their hashes. */
  readonly visible: readonly BlockMetadata[];
  /** The blocks of the scope with deploys to merge: the others are in the base already. */
  readonly merged: readonly BlockMetadata[];
}

/**
 * How the parents of a block come together.
 *
 * @param parents the main one first; one at least
 * @param floor   of the block, see `Floors`
 * @spec 61 §12.1, §12.3
 * @throws {ChainError} `floorTooLow`, `stateParentMissing`, `blockMissing`, `tooComplex`
 * @cost the blocks between the parents and the anchor
 */
export function planMerge(
  dag: DagView,
  lineage: StateLineage,
  parents: readonly BlockMetadata[],
  floor: BlockMetadata,
): MergePlan {
  const covering = coveringParent(dag, parents);
  if (covering !== undefined && lineage.contains(covering, floor))
    return { kind: "parent", parent: covering, isNamed: parents.length > 1 };
  const mainParent = parents[0]!;
  const anchor = lineage.contains(mainParent, floor) ? mainParent : floor;
  const highest = parents.reduce((most, { number }) => (number > most ? number : most), 0n);
  if (highest - floor.number > maxAboveFloor)
    throw new ChainError({ code: "floorTooLow", floor: floor.hash, distance: highest - floor.number });
  const visible = blocksInScope(dag, parents, anchor);
  const mainChain = mainChainDownTo(dag, anchor, visible);
  return {
    ...{ kind: "merge", anchor, mainParent, floor, visible },
    lineage: lineageOf(dag, anchor, { others: parents.slice(1), floor }),
    merged: visible.filter(({ key }) => !mainChain.has(key)),
  };
}

/** The first parent of which all others are ancestors. */
function coveringParent(dag: DagView, parents: readonly BlockMetadata[]): BlockMetadata | undefined {
  return parents.find((parent) => {
    const past = new AncestorWalk(dag, parent);
    return parents.every((other) => past.includes(other));
  });
}

/** @spec 61 §12.3 (step 2) */
function lineageOf(
  dag: DagView,
  anchor: BlockMetadata,
  { others, floor }: { readonly others: readonly BlockMetadata[]; readonly floor: BlockMetadata },
): BlockMetadata[] {
  const pasts = others.map((other) => new AncestorWalk(dag, other));
  const lineage: BlockMetadata[] = [];
  let at: BlockMetadata | undefined = anchor;
  while (at !== undefined && at.number > floor.number) {
    const block: BlockMetadata = at;
    if (pasts.every((past) => past.includes(block))) break;
    lineage.push(block);
    at = block.mainParent === undefined ? undefined : dag.require(block.mainParent);
  }
  return lineage;
}

/** @spec 61 §12.3 (step 3) */
function blocksInScope(dag: DagView, parents: readonly BlockMetadata[], anchor: BlockMetadata): BlockMetadata[] {
  const below = new AncestorWalk(dag, anchor);
  const isInScope = (block: BlockMetadata) =>
    block.key !== anchor.key && (block.number > anchor.number || !below.includes(block));
  const seen = new Map<string, BlockMetadata>();
  const waiting = [...parents];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next.key)) continue;
    seen.set(next.key, next);
    if (seen.size > maxBlocks)
      throw new ChainError({ code: "tooComplex", what: "Looking for the blocks to merge", limit: maxBlocks });
    for (const [index, key] of next.parentKeys.entries()) {
      const parent = seen.has(key) ? undefined : dag.require(next.parents[index]!, key);
      if (parent !== undefined && isInScope(parent)) waiting.push(parent);
    }
  }
  return [...seen.values()].filter(isInScope).sort((left, right) => compareBytes(left.hash, right.hash));
}

/** Keys of the main chain of a block as far down as any of these. */
function mainChainDownTo(dag: DagView, block: BlockMetadata, others: readonly BlockMetadata[]): ReadonlySet<string> {
  const lowest = others.reduce((least, { number }) => (number < least ? number : least), block.number);
  const chain = new Set<string>();
  let at: BlockMetadata | undefined = block;
  while (at !== undefined && at.number >= lowest) {
    chain.add(at.key);
    at = at.mainParent === undefined ? undefined : dag.require(at.mainParent);
  }
  return chain;
}
