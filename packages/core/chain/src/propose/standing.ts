import { hashKey } from "@vedette/protocol";
import { unfinalizedAncestors } from "../dag/ancestors.js";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";
import type { Snapshot } from "./snapshot.js";

/** The content of the newest blocks of others that the validator's own last block did not know. */
export type News = "none" | "blocks" | "deploys";

/** The position of a validator relative to the newest blocks and the last finalized one. @spec 61 §17.1 */
export interface ValidatorStanding {
  /** Height of the next block. */
  readonly number: bigint;
  /** Heights from the last finalized block to the highest block below the next one. */
  readonly lag: number;
  /** Blocks below the next one that are not finalized. */
  readonly unfinalized: number;
  /** Whether the own last block is higher than the last finalized one. */
  readonly isAhead: boolean;
  /** Own blocks that no other validator's last block knows; 0 where there is no other validator. */
  readonly unseen: number;
  /** Unix milliseconds; `undefined`: there is no own block. */
  readonly ownLatestMs: number | undefined;
  /** Time of the newest block below the next one, in Unix milliseconds. */
  readonly newestMs: number;
  readonly news: News;
}

/** The validator, and the view in which its position is computed. */
export interface StandingView {
  readonly dag: DagView;
  /** `hashKey` of the validator's public key. */
  readonly ownKey: string;
  /** Whether a block has user deploys. */
  readonly hasDeploys: (block: BlockMetadata) => boolean;
}

/**
 * Computes a validator's position.
 *
 * @spec 61 §17.1
 * @cost the blocks above the last finalized one
 */
export function standingOf(
  { dag, ownKey, hasDeploys }: StandingView,
  { parents, ownLatest, lastFinalized, number }: Snapshot,
): ValidatorStanding {
  // The latest message of a validator without a block is another's block.
  const own = ownLatest?.senderKey === ownKey ? ownLatest : undefined;
  const others = latestOfOthers(dag, parents[0]!, ownKey);
  return {
    number,
    lag: Number(number - 1n - lastFinalized.number),
    unfinalized: countUnfinalized(dag, parents),
    isAhead: own !== undefined && own.number > lastFinalized.number,
    unseen: own === undefined || others.length === 0 ? 0 : own.sequenceNumber - seenOf(dag, others, ownKey),
    ownLatestMs: own === undefined ? undefined : Number(own.timestamp),
    newestMs: parents.reduce((newest, { timestamp }) => Math.max(newest, Number(timestamp)), 0),
    news: newsFor(own, others, hasDeploys),
  };
}

/** Valid last blocks of validators with stake. */
function latestOfOthers(dag: DagView, main: BlockMetadata, ownKey: string): BlockMetadata[] {
  return main.bonds.bonds.flatMap(({ validator, stake }) => {
    const key = hashKey(validator);
    const hash = stake > 0n && key !== ownKey ? dag.latestMessage(key) : undefined;
    const latest = hash === undefined ? undefined : dag.require(hash);
    return latest === undefined || latest.invalid ? [] : [latest];
  });
}

/** The highest sequence number of an own block that one of these knows. */
function seenOf(dag: DagView, others: readonly BlockMetadata[], ownKey: string): number {
  return others.reduce((most, other) => {
    const known = other.justificationOf(ownKey);
    const block = known === undefined ? undefined : dag.find(known);
    return block?.senderKey === ownKey ? Math.max(most, block.sequenceNumber) : most;
  }, 0);
}

function newsFor(
  own: BlockMetadata | undefined,
  others: readonly BlockMetadata[],
  hasDeploys: (block: BlockMetadata) => boolean,
): News {
  const known = new Set(own?.justifications.map(({ latestBlockHash }) => hashKey(latestBlockHash)));
  const unknown = others.filter(({ key }) => !known.has(key));
  if (unknown.some(hasDeploys)) return "deploys";
  return unknown.length > 0 || own === undefined ? "blocks" : "none";
}

function countUnfinalized(dag: DagView, parents: readonly BlockMetadata[]): number {
  const open = new Set<string>();
  for (const parent of parents) {
    if (parent.finalized) continue;
    open.add(parent.key);
    for (const { key } of unfinalizedAncestors(dag, parent)) open.add(key);
  }
  return open.size;
}
