import { compareBytes } from "@vedette/crypto";
import { hashKey } from "@vedette/protocol";
import type { ParentLimits } from "../ChainRules.js";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import { commonAncestor } from "../dag/commonAncestor.js";
import type { DagView, LatestMessage } from "../dag/DagView.js";
import { weightsOf } from "../finality/faultTolerance.js";

/** Latest messages lower than this below the highest block do not take part. @spec 40 §11 */
const maximumLatestMessageDepth = 1000n;

/** The result of the fork choice. */
export interface Tips {
  readonly tips: readonly Uint8Array[];
  readonly commonAncestor: Uint8Array;
}

/**
 * Ranks the tips of the DAG by the stake behind them (GHOST).
 *
 * The chapter gives scores to all blocks and walks up by them. The walk ends at the latest messages that no other
 * latest message has below it. Only the validators of these messages support them.
 *
 * @param genesis the approved block, which is the only tip when there are no latest messages
 * @spec 40 §7.2
 * @cost the blocks above the common ancestor
 */
export function estimateTips(
  dag: DagView,
  genesis: BlockMetadata,
  latestMessages: readonly LatestMessage[],
  limits: ParentLimits,
): Tips {
  const valid = latestMessages.filter(({ hash }) => !dag.isInvalid(hash));
  const ancestor = ancestorOfAll(dag, genesis, valid);
  const ranked = rankTips(dag, ancestor, valid);
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
  const lowest = dag.nextBlockNumber() - maximumLatestMessageDepth;
  const recent = latest.map(({ hash }) => dag.require(hash)).filter(({ number }) => number > lowest);
  return commonAncestor(dag, recent) ?? genesis;
}

interface Tip {
  readonly block: BlockMetadata;
  readonly score: bigint;
}

/** The highest stake first, of equal ones the smaller hash. */
function rankTips(dag: DagView, ancestor: BlockMetadata, latest: readonly LatestMessage[]): BlockMetadata[] {
  const tips = new Map<string, Tip>();
  for (const block of leavesAbove(ancestor, childrenBelow(dag, ancestor, latest)))
    tips.set(block.key, { block, score: 0n });
  for (const { validator, hash } of latest) {
    const tip = tips.get(hashKey(hash));
    if (tip === undefined) continue;
    const stake = weightsOf(dag, tip.block).stakes.get(hashKey(validator)) ?? 0n;
    tips.set(tip.block.key, { block: tip.block, score: tip.score + stake });
  }
  return [...tips.values()]
    .sort((left, right) =>
      left.score === right.score ? compareBytes(left.block.hash, right.block.hash) : left.score > right.score ? -1 : 1,
    )
    .map(({ block }) => block);
}

/** The children of each block, as far as they are latest messages or lie below one, down to the ancestor. */
function childrenBelow(
  dag: DagView,
  ancestor: BlockMetadata,
  latest: readonly LatestMessage[],
): ReadonlyMap<string, readonly BlockMetadata[]> {
  const children = new Map<string, BlockMetadata[]>();
  const waiting = latest.map(({ hash }) => dag.require(hash));
  const seen = new Set(waiting.map(({ key }) => key));
  for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
    if (block.number < ancestor.number) continue;
    for (const hash of block.parents) {
      const parent = dag.find(hash);
      if (parent === undefined) continue;
      const known = children.get(parent.key);
      if (known === undefined) children.set(parent.key, [block]);
      else known.push(block);
      if (seen.has(parent.key)) continue;
      seen.add(parent.key);
      waiting.push(parent);
    }
  }
  return children;
}

function leavesAbove(
  ancestor: BlockMetadata,
  children: ReadonlyMap<string, readonly BlockMetadata[]>,
): readonly BlockMetadata[] {
  const leaves: BlockMetadata[] = [];
  const waiting = [ancestor];
  const seen = new Set([ancestor.key]);
  for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
    const above = children.get(block.key);
    if (above === undefined) leaves.push(block);
    for (const child of above ?? []) {
      if (seen.has(child.key)) continue;
      seen.add(child.key);
      waiting.push(child);
    }
  }
  return leaves;
}
