import { compareBytes } from "@vedette/crypto";
import { hashKey } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView, LatestMessage } from "../dag/DagView.js";
import { type Candidate, MainChains } from "../finality/MainChains.js";

/** How long a validator keeps to its own side of a fork before all have spoken: somewhat more than a usual turn. */
export const forkPatienceMs = 20_000;

/** Who chooses, and when. */
export interface Chooser {
  readonly validatorKey: string;
  /** Unix milliseconds. */
  readonly nowMs: number;
}

/**
 * The latest message to build on (GHOST over main parents): from the common ancestor up, at every fork to the side that
 * most of the stake stands on, of equal ones to that of the smaller hash.
 *
 * Finality counts main chains alone (40 §8.1), and a validator counts there as knowing of another's vote from the start,
 * while all that it knows of the other is genesis. So that nobody leaves what is final by this, a validator keeps to the
 * side of its own blocks for {@link forkPatienceMs}, unless it has heard of everybody or more than half of the stake
 * stands elsewhere.
 *
 * @param ancestor       that all latest messages have below them, and to begin with
 * @param latestMessages valid ones
 * @spec 40 §9.2 (Vedette)
 * @cost the blocks above the ancestor on main chains
 */
export function heaviestTip(
  dag: DagView,
  ancestor: BlockMetadata,
  latestMessages: readonly LatestMessage[],
  chooser: Chooser,
): BlockMetadata {
  const unheard = unheardOf(dag, latestMessages);
  const votes = latestMessages
    .map(({ validator, hash }) => ({ validatorKey: hashKey(validator), block: dag.require(hash) }))
    .filter(({ block }) => block.number > ancestor.number);
  const chains = new MainChains(dag, votes, (_, { number }) => number > ancestor.number);
  let own = chainOf(chooser.validatorKey, chains);
  let sides: readonly Candidate[] = chains
    .above(undefined)
    .filter(({ block }) => block.mainParent !== undefined && hashKey(block.mainParent) === ancestor.key);
  if (own[0] !== undefined && !sides.includes(own[0])) own = [];
  for (let fork = ancestor; ; ) {
    const heaviest = heaviestOf(sides, chains);
    if (heaviest === undefined) return fork;
    const staysBelowHalf = 2n * chains.stakeBehind(heaviest) <= fork.bonds.total;
    const keepsOwn = staysBelowHalf && isSomeoneOf(unheard, fork) && isYoung(own, chooser);
    const next = (keepsOwn ? own[0] : undefined) ?? heaviest;
    own = own[0] === next ? own.slice(1) : [];
    fork = next.block;
    sides = chains.above(next);
  }
}

/** Validators of whom nothing is known but blocks of others: genesis, or the block that bonded them. */
function unheardOf(dag: DagView, latestMessages: readonly LatestMessage[]): readonly string[] {
  return latestMessages
    .map(({ validator, hash }) => ({ key: hashKey(validator), senderKey: dag.require(hash).senderKey }))
    .filter(({ key, senderKey }) => key !== senderKey)
    .map(({ key }) => key);
}

function isSomeoneOf(validatorKeys: readonly string[], { bonds }: BlockMetadata): boolean {
  return validatorKeys.some((key) => (bonds.stakes.get(key) ?? 0n) > 0n);
}

/** The main chain of a validator's latest message, from below. */
function chainOf(validatorKey: string, chains: MainChains): readonly Candidate[] {
  const chain: Candidate[] = [];
  const vote = chains.votes.findIndex((one) => one.validatorKey === validatorKey);
  for (let at = vote < 0 ? undefined : chains.placeOf(vote); at !== undefined; at = at.parent) chain.push(at);
  return chain.reverse();
}

/** Whether the first own block on a chain was made a short time ago. */
function isYoung(chain: readonly Candidate[], { validatorKey, nowMs }: Chooser): boolean {
  const first = chain.find(({ block }) => block.senderKey === validatorKey);
  return first !== undefined && nowMs - Number(first.block.timestamp) < forkPatienceMs;
}

/** The child of a block that most of the stake stands on; of equal ones that of the smallest hash. */
function heaviestOf(sides: readonly Candidate[], chains: MainChains): Candidate | undefined {
  let heaviest: Candidate | undefined;
  for (const side of sides) if (heaviest === undefined || isHeavier(side, heaviest, chains)) heaviest = side;
  return heaviest;
}

function isHeavier(side: Candidate, than: Candidate, chains: MainChains): boolean {
  const [stake, other] = [chains.stakeBehind(side), chains.stakeBehind(than)];
  return stake === other ? compareBytes(side.block.hash, than.block.hash) < 0 : stake > other;
}
