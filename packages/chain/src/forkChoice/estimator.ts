import { compareBytes } from "@vedette/crypto";
import { hashKey } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import { commonAncestor } from "../dag/commonAncestor.js";
import type { DagView, LatestMessage } from "../dag/DagView.js";
import { scoresOf } from "./scores.js";

/** Latest messages lower than this below the highest block do not take part. @spec 40 §11 */
const maximumLatestMessageDepth = 1000n;

/** Bounds on the parents that a fork choice gives. */
export interface ParentLimits {
  /** 2147483647 = no limit. */
  readonly maximumParents: number;
  readonly maximumParentDepth: number | undefined;
}

/** The result of the fork choice. */
export interface Tips {
  readonly tips: readonly Uint8Array[];
  readonly commonAncestor: Uint8Array;
}

/**
 * Ranks the tips of the DAG by the stake behind them (GHOST).
 *
 * @param genesis the approved block, which is the only tip when there are no latest messages
 * @spec 40 §7.2
 */
export function estimateTips(
  dag: DagView,
  genesis: BlockMetadata,
  latestMessages: readonly LatestMessage[],
  limits: ParentLimits,
): Tips {
  const valid = latestMessages.filter(({ hash }) => !dag.isInvalid(hash));
  const ancestor = ancestorOfAll(dag, genesis, valid);
  const scores = scoresOf(dag, valid, ancestor);
  const ranked = rankTips(dag, ancestor, scores);
  const [first] = ranked;
  const depth = limits.maximumParentDepth;
  const near =
    first === undefined || depth === undefined
      ? ranked
      : ranked.filter((tip) => tip === first || first.number - tip.number <= BigInt(depth));
  return {
    tips: near.slice(0, limits.maximumParents).map(({ hash }) => hash),
    commonAncestor: ancestor.hash,
  };
}

function ancestorOfAll(dag: DagView, genesis: BlockMetadata, latest: readonly LatestMessage[]): BlockMetadata {
  const lowest = dag.latestBlockNumber() - maximumLatestMessageDepth;
  let ancestor: BlockMetadata | undefined;
  for (const { hash } of latest) {
    const block = dag.require(hash);
    if (block.number <= lowest) continue;
    ancestor = ancestor === undefined ? block : commonAncestor(dag, ancestor, block);
  }
  return ancestor ?? genesis;
}

function rankTips(dag: DagView, ancestor: BlockMetadata, scores: ReadonlyMap<string, bigint>): BlockMetadata[] {
  let ranked: BlockMetadata[] = [ancestor];
  for (;;) {
    const next = new Map<string, BlockMetadata>();
    for (const block of ranked) {
      const children = dag.children(block.hash).filter((child) => scores.has(hashKey(child)));
      if (children.length === 0) next.set(block.key, block);
      for (const child of children) next.set(hashKey(child), dag.require(child));
    }
    const sorted = [...next.values()].sort((left, right) => {
      const leftScore = scores.get(left.key) ?? 0n;
      const rightScore = scores.get(right.key) ?? 0n;
      if (leftScore !== rightScore) return leftScore > rightScore ? -1 : 1;
      return compareBytes(left.hash, right.hash);
    });
    if (sorted.length === ranked.length && sorted.every((block, i) => block.key === ranked[i]?.key)) return sorted;
    ranked = sorted;
  }
}
