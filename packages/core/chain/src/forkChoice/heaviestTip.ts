import { compareBytes } from "@vedette/crypto";
import { hashKey } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView, LatestMessage } from "../dag/DagView.js";

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
 * @cost validators times the blocks above the ancestor
 */
export function heaviestTip(
  dag: DagView,
  ancestor: BlockMetadata,
  latestMessages: readonly LatestMessage[],
  chooser: Chooser,
): BlockMetadata {
  const unheard = unheardOf(dag, latestMessages);
  let voters = latestMessages.map((message) => new Voter(dag, message, ancestor));
  for (let fork = ancestor; ; ) {
    const heaviest = heaviestSide(voters, fork);
    if (heaviest === undefined) return fork;
    const own = voters.find(({ validatorKey }) => validatorKey === chooser.validatorKey);
    const staysBelowHalf = 2n * heaviest.stake <= fork.bonds.total;
    const keepsOwn = staysBelowHalf && isSomeoneOf(unheard, fork) && own?.isYoung(chooser.nowMs) === true;
    fork = (keepsOwn ? own.next : undefined) ?? heaviest.block;
    voters = voters.filter(({ next }) => next?.key === fork.key);
    for (const voter of voters) voter.advance();
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

/** A validator with the main chain of its latest message, walked from below. */
class Voter {
  readonly validatorKey: string;
  /** From the latest message down. */
  readonly #chain: BlockMetadata[] = [];

  constructor(dag: DagView, { validator, hash }: LatestMessage, ancestor: BlockMetadata) {
    this.validatorKey = hashKey(validator);
    let block: BlockMetadata | undefined = dag.require(hash);
    while (block !== undefined && block.number > ancestor.number) {
      this.#chain.push(block);
      block = block.mainParent === undefined ? undefined : dag.find(block.mainParent);
    }
    if (block?.key !== ancestor.key) this.#chain.length = 0;
  }

  /** The block of the chain above the fork that was reached. */
  get next(): BlockMetadata | undefined {
    return this.#chain.at(-1);
  }

  advance(): void {
    this.#chain.pop();
  }

  /** Whether the first own block from the fork up was made a short time ago. */
  isYoung(nowMs: number): boolean {
    const first = this.#chain.findLast(({ senderKey }) => senderKey === this.validatorKey);
    return first !== undefined && nowMs - Number(first.timestamp) < forkPatienceMs;
  }
}

interface Side {
  readonly block: BlockMetadata;
  readonly stake: bigint;
}

/** The child of a block that most of the stake stands on; of equal ones that of the smallest hash. */
function heaviestSide(voters: readonly Voter[], { bonds }: BlockMetadata): Side | undefined {
  const sides = new Map<string, Side>();
  for (const { validatorKey, next } of voters) {
    if (next === undefined) continue;
    const stake = (bonds.stakes.get(validatorKey) ?? 0n) + (sides.get(next.key)?.stake ?? 0n);
    sides.set(next.key, { block: next, stake });
  }
  let heaviest: Side | undefined;
  for (const side of sides.values()) if (heaviest === undefined || isHeavier(side, heaviest)) heaviest = side;
  return heaviest;
}

function isHeavier(side: Side, than: Side): boolean {
  return side.stake === than.stake ? compareBytes(side.block.hash, than.block.hash) < 0 : side.stake > than.stake;
}
