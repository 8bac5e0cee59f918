import { compareBytes } from "@vedette/crypto";
import { hashKey } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView, LatestMessage } from "../dag/DagView.js";
import { type MainChainBlock, MainChains } from "../finality/MainChains.js";

/**
 * How long a validator stays on its side of a fork while others have made no block: a little more than a usual turn.
 */
export const forkPatienceMs = 20_000;

/** The validator that chooses, and the time. */
export interface Chooser {
  readonly validatorKey: string;
  /** Unix milliseconds. */
  readonly nowMs: number;
}

/**
 * The latest message to build on (GHOST over main parents). The walk starts at the common ancestor and takes the side
 * with most stake at every fork; of equal sides it takes the one with the smaller hash.
 *
 * Finality counts main chains alone (40 §8.1). There a validator that has only genesis of another one already counts as
 * knowing the other's vote. This must not make a validator leave a final block. So each stays on the side of its own
 * blocks for {@link forkPatienceMs}. It changes sides earlier once it has a block of each validator, or more than half
 * of the stake is elsewhere.
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
  const silent = silentValidators(dag, latestMessages);
  const votes = latestMessages
    .map(({ validator, hash }) => ({ validatorKey: hashKey(validator), block: dag.require(hash) }))
    .filter(({ block }) => block.number > ancestor.number);
  const chains = new MainChains(dag, votes, (_, { number }) => number > ancestor.number);
  let own = chainOf(chooser.validatorKey, chains);
  let sides: readonly MainChainBlock[] = chains
    .above(undefined)
    .filter(({ block }) => block.mainParent !== undefined && hashKey(block.mainParent) === ancestor.key);
  if (own[0] !== undefined && !sides.includes(own[0])) own = [];
  for (let fork = ancestor; ; ) {
    const heaviest = heaviestOf(sides, chains);
    if (heaviest === undefined) return fork;
    const staysBelowHalf = 2n * chains.stakeBehind(heaviest) <= fork.bonds.total;
    const keepsOwn = staysBelowHalf && isAnyStaked(silent, fork) && isYoung(own, chooser);
    const next = (keepsOwn ? own[0] : undefined) ?? heaviest;
    own = own[0] === next ? own.slice(1) : [];
    fork = next.block;
    sides = chains.above(next);
  }
}

/** Validators without a block. Their latest message is another's block: genesis, or the block that bonded them. */
function silentValidators(dag: DagView, latestMessages: readonly LatestMessage[]): readonly string[] {
  return latestMessages
    .map(({ validator, hash }) => ({ key: hashKey(validator), senderKey: dag.require(hash).senderKey }))
    .filter(({ key, senderKey }) => key !== senderKey)
    .map(({ key }) => key);
}

function isAnyStaked(validatorKeys: readonly string[], { bonds }: BlockMetadata): boolean {
  return validatorKeys.some((key) => (bonds.stakes.get(key) ?? 0n) > 0n);
}

/** The main chain of a validator's latest message, from below. */
function chainOf(validatorKey: string, chains: MainChains): readonly MainChainBlock[] {
  const chain: MainChainBlock[] = [];
  const vote = chains.votes.findIndex((one) => one.validatorKey === validatorKey);
  for (let at = vote < 0 ? undefined : chains.placeOf(vote); at !== undefined; at = at.parent) chain.push(at);
  return chain.reverse();
}

/** Whether the first own block on a chain was made a short time ago. */
function isYoung(chain: readonly MainChainBlock[], { validatorKey, nowMs }: Chooser): boolean {
  const first = chain.find(({ block }) => block.senderKey === validatorKey);
  return first !== undefined && nowMs - Number(first.block.timestamp) < forkPatienceMs;
}

/** Returns the child of a block with the most stake behind it; of equal ones, that with the smallest hash. */
function heaviestOf(sides: readonly MainChainBlock[], chains: MainChains): MainChainBlock | undefined {
  let heaviest: MainChainBlock | undefined;
  for (const side of sides) if (heaviest === undefined || isHeavier(side, heaviest, chains)) heaviest = side;
  return heaviest;
}

function isHeavier(side: MainChainBlock, than: MainChainBlock, chains: MainChains): boolean {
  const [stake, other] = [chains.stakeBehind(side), chains.stakeBehind(than)];
  return stake === other ? compareBytes(side.block.hash, than.block.hash) < 0 : stake > other;
}
