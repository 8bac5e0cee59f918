import { compareBytes } from "@vedette/crypto";
import { hashKey } from "@vedette/protocol";
import { type ParentLimits, unlimitedParents } from "../../ChainRules.js";
import { AncestorWalk } from "../../dag/AncestorWalk.js";
import type { BlockMetadata } from "../../dag/BlockMetadata.js";
import type { DagView } from "../../dag/DagView.js";
import type { Floors } from "../../finality/f1r3node/Floors.js";
import type { LineageSource } from "../../finality/f1r3node/StateLineage.js";
import type { F1r3nodeRuleSet } from "../../ruleSets/F1r3nodeRuleSet.js";
import { TipRanking, type Vote } from "./TipRanking.js";

/** The sources from which parents are chosen. */
export interface ParentSources {
  readonly dag: DagView;
  readonly floors: Floors;
  readonly facts: LineageSource;
  readonly ruleSet: Pick<F1r3nodeRuleSet, "rankTips">;
  readonly rules: ParentLimits;
}

/** The latest messages on which a block may build. */
export interface ParentVotes {
  /** Those that are not invalid. */
  readonly votes: readonly Vote[];
  /** `hashKey` of the public key of the choosing validator. */
  readonly ownKey: string;
}

/**
 * The fork choice of f1r3node networks: the parents of a new block, the main one first. That is the tip with the most
 * stake behind it; then come all other latest messages.
 *
 * @param approved the block to build on when there is no other
 * @throws {ChainError} `blockMissing`, `tooComplex`
 * @spec 61 §13.7
 * @cost the blocks above what all latest messages have below them, and above what is final for each
 */
export function chooseF1r3nodeParents(
  sources: ParentSources,
  approved: BlockMetadata,
  { votes, ownKey }: ParentVotes,
): readonly BlockMetadata[] {
  const blocks = new Map(votes.map(({ block }) => [block.key, block]));
  if (blocks.size === 0) return [approved];
  const ranking = new TipRanking(sources.dag, votes, { approved, rank: sources.ruleSet.rankTips });
  const [heaviest] = ranking.tips({ maximumParents: unlimitedParents });
  const inOrder = [...blocks.values()].sort((left, right) => compareBytes(left.hash, right.hash));
  const ranked = withFirst(inOrder, blocks.get(heaviest!.key));
  const parents = withFirst(ranked, furthestFinal(sources, ranked, ranking, votes));
  const covering = coveringParent(sources, parents);
  if (covering !== undefined) return [covering];
  const own = votes.find(({ validator }) => hashKey(validator) === ownKey)?.block;
  return withinLimits(parents, own, sources.rules);
}

function withFirst(blocks: readonly BlockMetadata[], first: BlockMetadata | undefined): readonly BlockMetadata[] {
  if (first === undefined) return blocks;
  return [first, ...blocks.filter(({ key }) => key !== first.key)];
}

/** Chooses among parents as heavy as the first the one for which most is final, if that is more than for the first. */
function furthestFinal(
  { floors }: ParentSources,
  parents: readonly BlockMetadata[],
  ranking: TipRanking,
  votes: readonly Vote[],
): BlockMetadata | undefined {
  const [head] = parents;
  const rivals = parents.slice(1).filter((parent) => ranking.scoreOf(parent) === ranking.scoreOf(head!));
  if (rivals.length === 0) return undefined;
  const justifications = votes.map(({ validator, block }) => ({ validator, latestBlockHash: block.hash }));
  const [first, ...others] = floors.frontiersUnder(justifications, [head!, ...rivals]);
  let best = { parent: undefined as BlockMetadata | undefined, number: first!.number };
  for (const [index, { number }] of others.entries())
    if (number > best.number) best = { parent: rivals[index], number };
  return best.parent;
}

/** A parent without user deploys that has all others below it. */
function coveringParent({ dag, facts }: ParentSources, parents: readonly BlockMetadata[]): BlockMetadata | undefined {
  if (parents.length === 1) return undefined;
  return parents.find((parent) => {
    if (facts.factsOf(parent.hash, parent.key).included.size > 0) return false;
    const past = new AncestorWalk(dag, parent);
    return parents.every((other) => past.includes(other));
  });
}

function withinLimits(
  parents: readonly BlockMetadata[],
  own: BlockMetadata | undefined,
  { maximumParents, maximumParentDepth: depth }: ParentSources["rules"],
): readonly BlockMetadata[] {
  const most = maximumParents < 0 ? unlimitedParents : maximumParents;
  const isCut = own !== undefined && parents.findIndex(({ key }) => key === own.key) >= most;
  const kept = (isCut ? withFirst(parents, own) : parents).slice(0, most);
  if (depth === undefined || depth === unlimitedParents) return kept;
  const highest = kept.reduce((height, { number }) => (number > height ? number : height), 0n);
  return kept.filter(({ number }) => highest - number <= BigInt(depth));
}
