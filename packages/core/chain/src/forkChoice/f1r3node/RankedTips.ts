import { compareSignedBytes } from "@vedette/crypto";
import { hashKey } from "@vedette/protocol";
import { ChainError } from "../../ChainError.js";
import type { BlockMetadata } from "../../dag/BlockMetadata.js";
import type { DagView } from "../../dag/DagView.js";
import { weightsOf } from "../../finality/faultTolerance.js";
import type { RankTips, ScoredBlocks } from "./rankTips.js";

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
/** Latest messages lower than this below the highest block have no say in where the tips are looked for. */
const maximumLatestMessageDepth = 1_000n;

/** What a ranking begins with. */
export interface RankingOptions {
  /** The block that the chain was begun with. */
  readonly approved: BlockMetadata;
  /** The order of the tips. */
  readonly rank: RankTips;
}

/**
 * The stake behind blocks, and the tips of main chains ranked by it. Each validator stands behind every block of the
 * main chain of its latest message.
 *
 * @spec 61 §13.7 (step 2)
 */
export class RankedTips implements ScoredBlocks {
  /** Where the ranking begins: what all latest messages have below them. */
  readonly ancestor: BlockMetadata;
  private readonly dag: DagView;
  private readonly rank: RankTips;
  private readonly scores = new Map<string, bigint>();
  /** Key of a block → the blocks above it on some main chain. */
  private readonly above = new Map<string, Map<string, BlockMetadata>>();

  /**
   * @param votes latest messages that are valid
   * @throws {ChainError} `tooComplex`
   * @cost the main chains down to what all have below them
   */
  constructor(dag: DagView, votes: readonly Vote[], { approved, rank }: RankingOptions) {
    this.dag = dag;
    this.rank = rank;
    const lowest = dag.nextBlockNumber() - maximumLatestMessageDepth;
    const recent = votes.map(({ block }) => block).filter(({ number }) => number > lowest);
    this.ancestor = ancestorOfAll(dag, recent, approved);
    for (const vote of votes) this.add(vote);
  }

  scoreOf(block: BlockMetadata): bigint | undefined {
    return this.scores.get(block.key);
  }

  childrenOf(block: BlockMetadata): Iterable<BlockMetadata> {
    return this.above.get(block.key)?.values() ?? [];
  }

  /** The ends of all main chains above the ancestor, ranked. */
  tips({ maximumParents, maximumParentDepth: depth }: TipLimits): readonly BlockMetadata[] {
    const tips = this.rank(this);
    const [first] = tips;
    const near =
      depth === undefined ? tips : tips.filter((tip) => tip === first || first!.number - tip.number <= BigInt(depth));
    return maximumParents < 0 ? near : near.slice(0, maximumParents);
  }

  /** Down the main chain, to the ancestor and one block below it; a message from below it stands behind itself alone. */
  private add({ validator, block }: Vote): void {
    const key = hashKey(validator);
    let at = block;
    for (let steps = 0; ; steps += 1) {
      if (steps >= maxSteps)
        throw new ChainError({ code: "tooComplex", what: "Weighing the sides of a fork", limit: maxSteps });
      const weight = weightsOf(this.dag, at).stakes.get(key) ?? 0n;
      this.scores.set(at.key, (this.scoreOf(at) ?? 0n) + weight);
      if (at.number < this.ancestor.number || at.mainParent === undefined) return;
      const parent = this.dag.find(at.mainParent);
      // A chain that was begun with the state of a later block ends there.
      if (parent === undefined) return;
      let sides = this.above.get(parent.key);
      if (sides === undefined) this.above.set(parent.key, (sides = new Map()));
      sides.set(at.key, at);
      at = parent;
    }
  }
}

/**
 * The one block through which all ways down from some blocks lead, parents of every kind; the approved block where
 * there is none above it.
 */
function ancestorOfAll(dag: DagView, blocks: readonly BlockMetadata[], approved: BlockMetadata): BlockMetadata {
  const open = new Map(blocks.map((block) => [block.key, block]));
  while (open.size > 1) {
    const highest = [...open.values()].reduce((one, other) => (isAbove(other, one) ? other : one));
    if (highest.number <= approved.number) return approved;
    open.delete(highest.key);
    for (const hash of highest.parents) {
      const parent = dag.find(hash);
      if (parent !== undefined) open.set(parent.key, parent);
    }
  }
  const [last] = open.values();
  return last ?? approved;
}

function isAbove(one: BlockMetadata, other: BlockMetadata): boolean {
  return one.number === other.number ? compareSignedBytes(one.hash, other.hash) > 0 : one.number > other.number;
}
