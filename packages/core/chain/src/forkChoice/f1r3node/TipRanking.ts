import { hashKey } from "@vedette/protocol";
import { ChainError } from "../../ChainError.js";
import type { BlockMetadata } from "../../dag/BlockMetadata.js";
import { commonAncestor } from "../../dag/commonAncestor.js";
import type { DagView } from "../../dag/DagView.js";
import { type MainChainBlock, MainChains } from "../../finality/MainChains.js";
import type { ScoredBlocks, TipRankingRule } from "./rankTips.js";

/** A validator's latest message. */
export interface Vote {
  readonly validator: Uint8Array;
  readonly block: BlockMetadata;
}

/** Bounds on the tips that come out. */
export interface TipLimits {
  /** Negative or 2147483647: no limit. */
  readonly maximumParents: number;
  /** Blocks that a tip may be below the first one; left out: no limit. */
  readonly maximumParentDepth?: number | undefined;
}

const maxSteps = 100_000;
/** Latest messages lower than this below the highest block do not affect where tips are searched. */
const maximumLatestMessageDepth = 1_000n;

/** The inputs of a ranking. */
export interface RankingOptions {
  /** The block that the chain was begun with. */
  readonly approved: BlockMetadata;
  /** The order of the tips. */
  readonly rank: TipRankingRule;
}

/**
 * Computes the stake behind blocks, and ranks the tips of main chains by it. Each validator supports every block of the
 * main chain of its latest message.
 *
 * @spec 61 §13.7 (step 2)
 */
export class TipRanking implements ScoredBlocks {
  /** Where the ranking begins: what all latest messages have below them. */
  readonly ancestor: BlockMetadata;
  readonly #rank: TipRankingRule;
  readonly #chains: MainChains;
  readonly #candidates: ReadonlyMap<string, MainChainBlock>;

  /**
   * @param votes latest messages that are valid
   * @throws {ChainError} `tooComplex`
   * @cost the main chains down to what all have below them
   */
  constructor(dag: DagView, votes: readonly Vote[], { approved, rank }: RankingOptions) {
    this.#rank = rank;
    const lowest = dag.nextBlockNumber() - maximumLatestMessageDepth;
    const recent = votes.map(({ block }) => block).filter(({ number }) => number > lowest);
    this.ancestor = commonAncestor(dag, recent, approved.number) ?? approved;
    const latest = votes.map(({ validator, block }) => ({ validatorKey: hashKey(validator), block }));
    let steps = 0;
    // Down the main chain, to the ancestor and one block below it; a message from below it supports itself alone.
    this.#chains = new MainChains(dag, latest, ({ number }) => {
      if (++steps >= maxSteps)
        throw new ChainError({ code: "tooComplex", what: "Weighing the sides of a fork", limit: maxSteps });
      return number >= this.ancestor.number;
    });
    this.#candidates = new Map([...this.#chains].map((candidate) => [candidate.block.key, candidate]));
  }

  scoreOf({ key }: BlockMetadata): bigint | undefined {
    const candidate = this.#candidates.get(key);
    return candidate === undefined ? undefined : this.#chains.stakeBehind(candidate);
  }

  childrenOf({ key }: BlockMetadata): readonly BlockMetadata[] {
    const candidate = this.#candidates.get(key);
    return candidate === undefined ? [] : this.#chains.above(candidate).map(({ block }) => block);
  }

  /** The ends of all main chains above the ancestor, ranked. */
  tips({ maximumParents, maximumParentDepth: depth }: TipLimits): readonly BlockMetadata[] {
    const tips = this.#rank(this);
    const [first] = tips;
    const near =
      depth === undefined ? tips : tips.filter((tip) => tip === first || first!.number - tip.number <= BigInt(depth));
    return maximumParents < 0 ? near : near.slice(0, maximumParents);
  }
}
