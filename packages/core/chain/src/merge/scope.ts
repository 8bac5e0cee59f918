import { compareBytes, toHex } from "@vedette/crypto";
import type { Justification } from "@vedette/protocol";
import { AncestorWalk } from "../dag/AncestorWalk.js";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";
import {
  creatorsFinality,
  finalityUpTo,
  type MergeFinalityView,
  noFinality,
  ownFinality,
} from "./MergeFinalityView.js";
import { aboveGate, scopeOf } from "./scopeOf.js";

/** Which blocks are merged on top of which state, to be the state that a block with several parents begins with. */
export interface MergeScope {
  /** The block from which the merge starts, with its post-state. */
  readonly base: Uint8Array;
  readonly baseStateHash: Uint8Array;
  /** The blocks to merge, in ascending order of height, then hash. */
  readonly blocks: readonly Uint8Array[];
  /**
   * By evidence: the ancestors of the base above the gate, and the base itself, in the same order. What is merged has to
   * go with them.
   *
   * @spec 40 §16.7
   */
  readonly beside?: readonly Uint8Array[];
}

/** The creator's view, as far as its block shows it. */
export interface CreatorsView {
  readonly justifications: readonly Justification[];
  /** Fault tolerance above which a block is final for the creator; all validators should have the same. */
  readonly threshold: number;
}

/** Different scopes that are tried for one block, each of which costs a merge. */
const maxScopes = 8;
/** Blocks of the main chain that are taken for the last finalized one. */
const maxBlocksBelow = 16;

/**
 * The scope of the blocks to merge, in one view of finality.
 *
 * @returns `undefined` where nothing can be the base
 * @throws {ChainError} `tooComplex`
 * @spec 40 §12.1, 30 §A.2
 */
export function mergeScope(
  dag: DagView,
  parents: readonly BlockMetadata[],
  finality: MergeFinalityView,
): MergeScope | undefined {
  const found = scopeOf(dag, parents, finality);
  if (found === undefined) return undefined;
  return { base: found.base.hash, baseStateHash: found.base.postStateHash, blocks: inOrder(found.blocks) };
}

/** By evidence: returns all blocks that the main parent does not build on, with that parent as base. */
function scopeBesideMain(dag: DagView, parents: readonly BlockMetadata[]): MergeScope | undefined {
  const [main] = parents;
  const found = aboveGate(dag, parents);
  if (main === undefined || found === undefined) return undefined;
  const mains = new AncestorWalk(dag, main);
  const beside = found.blocks.filter((block) => mains.includes(block));
  const others = found.blocks.filter((block) => !mains.includes(block));
  return {
    ...{ base: main.hash, baseStateHash: main.postStateHash },
    ...{ blocks: inOrder(others), beside: inOrder(beside) },
  };
}

function inOrder(blocks: readonly BlockMetadata[]): Uint8Array[] {
  return [...blocks].sort(byHeight).map(({ hash }) => hash);
}

/**
 * The scopes that the creator of a block with these parents may have had, the most likely first.
 *
 * Quirk 40 §12.1: in rnode the scope depends on the finality that a node happens to know, so that nodes
 * with different last finalized blocks compute different states for one block. Tried are the view that the block's
 * justifications give, our own, that of the builds that merge without finality, and then every block of the main
 * chain, from the main parent down, as the last finalized one. By evidence the parents alone decide.
 *
 * @throws {ChainError} `tooComplex`; by evidence `blockMissing`
 * @spec 40 §12.1, §16.7, 30 §A.2
 * @cost each scope walks the blocks above its base
 */
export function* mergeScopes(
  dag: DagView,
  parents: readonly BlockMetadata[],
  creator?: CreatorsView,
): Generator<MergeScope> {
  if (dag.judgesByEvidence) {
    const found = scopeBesideMain(dag, parents);
    if (found !== undefined) yield found;
    return;
  }
  const tried = new Set<string>();
  for (const view of finalityViews(dag, parents, creator)) {
    const scope = mergeScope(dag, parents, view);
    if (scope === undefined) continue;
    const name = [scope.base, ...scope.blocks].map(toHex).join();
    if (tried.has(name)) continue;
    tried.add(name);
    yield scope;
    if (tried.size >= maxScopes) return;
  }
}

function* finalityViews(
  dag: DagView,
  parents: readonly BlockMetadata[],
  creator: CreatorsView | undefined,
): Generator<MergeFinalityView> {
  if (creator !== undefined) yield creatorsFinality(dag, creator.justifications, creator.threshold);
  yield ownFinality(dag);
  yield noFinality(dag);
  let at = parents[0];
  for (let left = maxBlocksBelow; at !== undefined && left > 0; left -= 1) {
    yield finalityUpTo(dag, at);
    at = at.mainParent === undefined ? undefined : dag.find(at.mainParent);
  }
}

function byHeight(left: BlockMetadata, right: BlockMetadata): number {
  if (left.number !== right.number) return left.number < right.number ? -1 : 1;
  return compareBytes(left.hash, right.hash);
}
