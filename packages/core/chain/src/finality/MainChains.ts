import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { BondSet } from "../dag/BondSet.js";
import type { DagView } from "../dag/DagView.js";

/** A validator's latest message. */
export interface LatestVote {
  readonly validatorKey: string;
  readonly block: BlockMetadata;
}

/** A block on the main chain of a latest message. */
export interface MainChainBlock {
  readonly block: BlockMetadata;
  /** The bonds that supply the stakes. @spec 40 §8.1 */
  readonly weights: BondSet;
  /** The main parent, where it is a candidate too. */
  readonly parent: MainChainBlock | undefined;
  /** Steps from here to the end of the main chain. */
  readonly depth: number;
  readonly index: number;
}

/** Blocks above that are not linked to their parents yet. */
type Unlinked = Pick<MainChainBlock, "block" | "weights">;

/**
 * The main chains of latest messages as one tree, so that each block is visited once.
 *
 * @spec 40 §8.2
 * @cost the blocks on these chains
 */
export class MainChains {
  readonly votes: readonly LatestVote[];
  /** Parents before children. */
  readonly #candidates: MainChainBlock[] = [];
  /** By vote, its block. */
  readonly #places: readonly MainChainBlock[];

  readonly #behind = new Map<BondSet, readonly bigint[]>();
  #children: ReadonlyMap<MainChainBlock | undefined, readonly MainChainBlock[]> | undefined;

  /** Whether some chain goes on further than was walked. */
  isCut = false;

  /**
   * @param goesOn   whether the main parent of a block is a candidate too
   * @param maxSteps from one latest message down to the first block that is known already
   */
  constructor(
    dag: Pick<DagView, "find">,
    votes: readonly LatestVote[],
    goesOn: (block: BlockMetadata, mainParent: BlockMetadata) => boolean,
    maxSteps = Number.POSITIVE_INFINITY,
  ) {
    this.votes = votes;
    const known = new Map<string, MainChainBlock>();
    this.#places = votes.map(({ block }) => {
      const unlinked: Unlinked[] = [];
      let at: BlockMetadata | undefined = block;
      while (at !== undefined && !known.has(at.key) && unlinked.length <= maxSteps) {
        const below: BlockMetadata | undefined =
          at.mainParent === undefined ? undefined : dag.find(at.mainParent, at.parentKeys[0]);
        unlinked.push({ block: at, weights: (below ?? at).bonds });
        at = below !== undefined && goesOn(at, below) ? below : undefined;
      }
      const isCut = at !== undefined && unlinked.length > maxSteps;
      this.isCut ||= isCut;
      return this.#link(unlinked, at === undefined || isCut ? undefined : known.get(at.key), known)!;
    });
  }

  #link(
    unlinked: Unlinked[],
    below: MainChainBlock | undefined,
    known: Map<string, MainChainBlock>,
  ): MainChainBlock | undefined {
    let parent = below;
    for (let one = unlinked.pop(); one !== undefined; one = unlinked.pop()) {
      const { block, weights } = one;
      parent = {
        block,
        weights,
        parent,
        depth: parent === undefined ? 0 : parent.depth + 1,
        index: this.#candidates.length,
      };
      this.#candidates.push(parent);
      known.set(one.block.key, parent);
    }
    return parent;
  }

  [Symbol.iterator](): Iterator<MainChainBlock> {
    return this.#candidates.values();
  }

  /** The candidate that a latest message is. */
  placeOf(vote: number): MainChainBlock {
    return this.#places[vote]!;
  }

  /** Those right above a candidate; of `undefined` those at which main chains end. */
  above(candidate: MainChainBlock | undefined): readonly MainChainBlock[] {
    if (this.#children === undefined) {
      const children = new Map<MainChainBlock | undefined, MainChainBlock[]>();
      for (const one of this.#candidates) {
        const known = children.get(one.parent);
        if (known === undefined) children.set(one.parent, [one]);
        else known.push(one);
      }
      this.#children = children;
    }
    return this.#children.get(candidate) ?? [];
  }

  /** The stake of all votes for a candidate or a descendant. */
  stakeBehind({ index, weights }: MainChainBlock): bigint {
    let behind = this.#behind.get(weights);
    if (behind === undefined) this.#behind.set(weights, (behind = this.#stakesBehind(weights)));
    return behind[index]!;
  }

  /**
   * The candidates with enough stake behind them, in lines: a validator that agrees on a candidate also agrees on all
   * that follow it in its line, by the same stakes.
   */
  linesWith(isEnough: (weights: BondSet, stake: bigint) => boolean): MainChainBlock[][] {
    const found = new Set(this.#candidates.filter((one) => isEnough(one.weights, this.stakeBehind(one))));
    const lines: MainChainBlock[][] = [];
    for (const top of [...found].sort((left, right) => right.depth - left.depth))
      if (found.has(top)) lines.push(...takeLines(found, top));
    return lines;
  }

  /** The votes for a candidate or a descendant that have stake, by index, in the order in which rnode's steps meet them. */
  supporters(candidate: MainChainBlock): number[] {
    const isAbove = new Uint8Array(this.#candidates.length);
    for (const { index, parent } of this.#candidates)
      isAbove[index] = index === candidate.index || (parent !== undefined && isAbove[parent.index] === 1) ? 1 : 0;
    const { stakes } = candidate.weights;
    const places = this.#places;
    return [...places.keys()]
      .filter((vote) => isAbove[places[vote]!.index] === 1 && (stakes.get(this.votes[vote]!.validatorKey) ?? 0n) > 0n)
      .sort((left, right) => places[left]!.depth - places[right]!.depth || left - right);
  }

  /** Blocks between a vote and a candidate below it. */
  stepsOf({ vote, candidate }: VoteStep): number {
    return this.#places[vote]!.depth - candidate.depth;
  }

  #stakesBehind({ stakes }: BondSet): readonly bigint[] {
    const behind = new Array<bigint>(this.#candidates.length).fill(0n);
    for (const [vote, { index }] of this.#places.entries()) {
      const stake = stakes.get(this.votes[vote]!.validatorKey) ?? 0n;
      if (stake > 0n) behind[index]! += stake;
    }
    for (let index = behind.length - 1; index >= 0; index -= 1) {
      const parent = this.#candidates[index]!.parent;
      if (parent !== undefined) behind[parent.index]! += behind[index]!;
    }
    return behind;
  }
}

/** A step of rnode's search: a vote is found to agree on a candidate. */
export interface VoteStep {
  readonly vote: number;
  readonly candidate: MainChainBlock;
}

/** Takes what lies on one main chain out of a set. */
function takeLines(from: Set<MainChainBlock>, top: MainChainBlock): MainChainBlock[][] {
  const lines = new Map<BondSet, MainChainBlock[]>();
  const ended: MainChainBlock[][] = [];
  for (let at: MainChainBlock | undefined = top; at !== undefined; at = at.parent) {
    if (from.delete(at)) {
      const line = lines.get(at.weights);
      if (line === undefined) lines.set(at.weights, [at]);
      else line.push(at);
    }
    // An invalid block may state any height, by which it would not be found above.
    if (at.parent !== undefined && at.parent.block.number >= at.block.number) {
      ended.push(...lines.values());
      lines.clear();
    }
  }
  return [...ended, ...lines.values()];
}
