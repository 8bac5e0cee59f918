import { compareBytes } from "@vedette/crypto";
import type { BlockMetadata } from "../../dag/BlockMetadata.js";

/** Blocks with stake behind them, above what all latest messages have below them. */
export interface ScoredBlocks {
  readonly ancestor: BlockMetadata;
  /** The stake behind a block: 0 where its supporters have no stake, `undefined` where it has no supporters. */
  scoreOf(block: BlockMetadata): bigint | undefined;
  /** The blocks with a score that have this one as their main parent. */
  childrenOf(block: BlockMetadata): Iterable<BlockMetadata>;
}

/** The ends of all main chains above the ancestor, in the order in which a new block would have them as parents. */
export type TipRankingRule = (scored: ScoredBlocks) => readonly BlockMetadata[];

/**
 * Ranks the tip with the most stake first; of equal ones, the smaller hash.
 *
 * All chains grow by one block at a time and are ranked each time. So the stake behind each tip alone decides, and not
 * that behind its fork.
 *
 * @spec 61 §13.7 (step 2)
 */
export const byOwnScore: TipRankingRule = (scored) => {
  const tips: BlockMetadata[] = [];
  const waiting = [scored.ancestor];
  // Each block has one main parent, so none is met twice.
  for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
    const children = [...scored.childrenOf(block)];
    if (children.length === 0) tips.push(block);
    else waiting.push(...children);
  }
  return tips.sort((one, other) => compareScores(scored, one, other));
};

function compareScores(scored: ScoredBlocks, one: BlockMetadata, other: BlockMetadata): number {
  const [left, right] = [scored.scoreOf(one) ?? 0n, scored.scoreOf(other) ?? 0n];
  if (left === right) return compareBytes(one.hash, other.hash);
  return left > right ? -1 : 1;
}
