import { ChainError } from "../ChainError.js";
import { AncestorWalk, insertByNumber } from "../dag/AncestorWalk.js";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";
import { compareInHashSet } from "./hashSetOrder.js";
import { type MergeFinalityView, noFinality } from "./MergeFinalityView.js";

/** A base, and the blocks that are merged on top of it. */
export interface ScopeOfParents {
  readonly base: BlockMetadata;
  readonly blocks: readonly BlockMetadata[];
}

const maxVisible = 10_000;
/** By evidence it is part of the rule; proposers stay far below it. */
const maxAboveGate = 1_000;
/** rnode's sets list up to this many elements in the order of insertion. */
const smallSet = 4;

/**
 * Finds the blocks that the parents of a block leave to be merged, in one view of finality.
 *
 * @returns `undefined` where nothing can be the base
 * @throws {ChainError} `tooComplex`
 * @spec 40 §12.1
 * @cost the blocks above the base
 */
export function scopeOf(
  dag: DagView,
  parents: readonly BlockMetadata[],
  finality: MergeFinalityView,
): ScopeOfParents | undefined {
  const walk = new VisibleWalk(dag, parents, finality);
  const visible: BlockMetadata[] = [];
  let base: BlockMetadata | undefined;
  let below: AncestorWalk | undefined;
  for (let level = walk.takeHighest(); level.length > 0; level = walk.takeHighest()) {
    if (below === undefined) {
      base = firstOf(
        level.filter((block) => walk.isCommon(block)),
        () => walk.firstReached(smallSet + 1),
      );
      if (base !== undefined) below = new AncestorWalk(dag, base);
    }
    for (const block of level) {
      if (below?.includes(block)) continue;
      visible.push(block);
      walk.goOnFrom(block);
    }
  }
  base ??= finality.lastFinalized;
  if (base === undefined) return undefined;
  const merged = below ?? new AncestorWalk(dag, base);
  return { base, blocks: visible.filter((block) => !merged.includes(block)) };
}

/**
 * Finds the blocks above the *gate* of several parents, the highest block through which every way down from them leads.
 *
 * No part of the parents' past is left out: every block above the gate builds on the gate's past.
 *
 * @returns the parents and their ancestors above the gate; `undefined` where there is no parent
 * @throws {ChainError} `tooComplex`; `blockMissing` where the ways lead below all known blocks
 * @spec 40 §16.7
 * @cost the blocks above the gate
 */
export function aboveGate(dag: DagView, parents: readonly BlockMetadata[]): ScopeOfParents | undefined {
  const walk = new VisibleWalk(dag, parents, noFinality(dag), maxAboveGate);
  const blocks: BlockMetadata[] = [];
  for (;;) {
    const level = walk.takeHighest();
    const [base] = level;
    if (base === undefined) return undefined;
    if (level.length === 1 && walk.isAtEnd) return { base, blocks };
    for (const block of level) {
      const missing = block.parents.find((hash) => !dag.has(hash));
      if (missing !== undefined) throw new ChainError({ code: "blockMissing", hash: missing });
      blocks.push(block);
      walk.goOnFrom(block);
    }
  }
}

/**
 * The first of blocks of one height in the order of a set.
 *
 * Quirk 40 §12.1: rnode takes the first in the set of the first parent's ancestors. A small set keeps the
 * order in which the ancestors were found, a larger one that of their hash codes.
 */
function firstOf(
  candidates: readonly BlockMetadata[],
  firstReached: () => readonly BlockMetadata[],
): BlockMetadata | undefined {
  if (candidates.length < 2) return candidates[0];
  const reached = firstReached();
  if (reached.length <= smallSet) return reached.find(({ key }) => candidates.some((one) => one.key === key));
  return [...candidates].sort((left, right) => compareInHashSet(left.hash, right.hash))[0];
}

/** Walks from all parents at once, the highest first, through blocks that are not final. */
class VisibleWalk {
  private readonly dag: DagView;
  private readonly parents: readonly BlockMetadata[];
  private readonly finality: MergeFinalityView;
  private readonly all: bigint;
  /** For each block that was reached: the parents from which it was. */
  private readonly reachedFrom = new Map<string, bigint>();
  private readonly waiting: BlockMetadata[] = [];
  private readonly most: number;

  constructor(dag: DagView, parents: readonly BlockMetadata[], finality: MergeFinalityView, most = maxVisible) {
    this.dag = dag;
    this.finality = finality;
    this.most = most;
    this.parents = [...new Map(parents.map((parent) => [parent.key, parent])).values()];
    this.all = (1n << BigInt(this.parents.length)) - 1n;
    this.parents.forEach((parent, index) => {
      this.reach(parent, 1n << BigInt(index));
    });
  }

  /** Takes the blocks of the greatest height that is left. The parents that reach them are known by then. */
  takeHighest(): BlockMetadata[] {
    const level: BlockMetadata[] = [];
    for (let next = this.waiting.pop(); next !== undefined; next = this.waiting.pop()) {
      const [first] = level;
      if (first !== undefined && first.number !== next.number) {
        this.waiting.push(next);
        break;
      }
      level.push(next);
    }
    return level;
  }

  /** Whether nothing is left below what was taken last. */
  get isAtEnd(): boolean {
    return this.waiting.length === 0;
  }

  isCommon(block: BlockMetadata): boolean {
    return this.reachedFrom.get(block.key) === this.all;
  }

  goOnFrom(block: BlockMetadata): void {
    const mask = this.reachedFrom.get(block.key) ?? 0n;
    for (const parent of this.openParents(block)) this.reach(parent, mask);
  }

  /** The first parent and what is found from it, breadth first, up to a number. */
  firstReached(limit: number): BlockMetadata[] {
    const [first] = this.parents;
    const found = new Map<string, BlockMetadata>();
    if (first !== undefined) found.set(first.key, first);
    for (const block of found.values()) {
      for (const parent of this.openParents(block)) found.set(parent.key, found.get(parent.key) ?? parent);
      if (found.size >= limit) break;
    }
    return [...found.values()];
  }

  private openParents(block: BlockMetadata): BlockMetadata[] {
    const open: BlockMetadata[] = [];
    for (const hash of block.parents) {
      const parent = this.dag.find(hash);
      if (parent !== undefined && !this.finality.isFinalized(parent)) open.push(parent);
    }
    return open;
  }

  private reach(block: BlockMetadata, mask: bigint): void {
    const before = this.reachedFrom.get(block.key);
    this.reachedFrom.set(block.key, (before ?? 0n) | mask);
    if (before !== undefined) return;
    if (this.reachedFrom.size > this.most)
      throw new ChainError({ code: "tooComplex", what: "Merging the parents of a block", limit: this.most });
    insertByNumber(this.waiting, block);
  }
}
