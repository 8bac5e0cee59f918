import { compareBytes, fromHex, toHex } from "@vedette/crypto";
import { type Event, hashKey } from "@vedette/protocol";
import { decodeBincodeDatum } from "../../bincode/bincodeLeaf.js";
import { combineSets, type EventSets, eventSets, type StateBefore } from "../eventIndex.js";
import { only, union } from "../eventSet.js";
import type { StateChange } from "../stateChange.js";
import { dependencyClasses } from "./eventRelations.js";
import type { ItemState } from "./ItemState.js";
import { itemChange } from "./itemChange.js";
import { combineNumbers, type NumberChanges } from "./numberChanges.js";

/** A deploy of a block as merging sees it. @spec 61 §12.4 */
export interface MergedDeploy {
  /** Signature of a user deploy, or the id of a system deploy. */
  readonly id: Uint8Array;
  readonly cost: bigint;
  readonly log: readonly Event[];
  readonly numbers: NumberChanges;
  /** The height of a user deploy. */
  readonly validAfter?: bigint;
}

/** The block that chains are of. */
export interface ChainSource {
  readonly hash: Uint8Array;
  readonly number: bigint;
  readonly postState: Uint8Array;
}

/** Deploys of one block that are kept or rejected together. @spec 61 §12.4 */
export interface MergeChain {
  readonly deploys: readonly ChainDeploy[];
  readonly events: EventSets;
  readonly numbers: NumberChanges;
  readonly change: StateChange;
  readonly source: ChainSource;
}

/** The facts of a deploy that count once its log is taken up. */
export type ChainDeploy = Omit<MergedDeploy, "log" | "numbers">;

/** The states before and after a block, as far as its chains read them. */
export interface BlockStates {
  readonly before: ItemState;
  readonly after: ItemState;
}

/**
 * Splits a block's deploys into chains that do not depend on each other.
 *
 * @param deploys user deploys that did not fail and system deploys that succeeded, in the block's order
 * @spec 61 §12.4
 * @throws {MergeError} `joinMissing`, `numberChannel`
 * @cost grows with the square of the number of deploys
 */
export function mergeChains(
  deploys: readonly MergedDeploy[],
  source: ChainSource,
  { before, after }: BlockStates,
): MergeChain[] {
  const facts = factsBefore(before);
  const entries = deploys.map((deploy) => ({ deploy, events: loggedEvents(deploy, facts) }));
  const related = dependencyClasses(entries, ({ events }) => events);
  return related.map((members) => {
    const events = members.map((member) => member.events).reduce(combineSets);
    return {
      deploys: members.map(({ deploy: { log, numbers, ...rest } }) => rest),
      events,
      numbers: members.map(({ deploy }) => deploy.numbers).reduce(combineNumbers),
      change: itemChange(events, before, after),
      source,
    };
  });
}

/** The events of a deploy; here the consumes of COMMs count as mergeable too. @spec 30 §A.4, 61 §12.4 */
function loggedEvents({ log, numbers }: MergedDeploy, facts: StateBefore): EventSets {
  const channels = new Set([...numbers.keys()].map((channel) => hashKey(fromHex(channel))));
  const isNumber = (hash: Uint8Array) => channels.size > 0 && channels.has(hashKey(hash));
  const sets = eventSets(log, facts, isNumber);
  const met = only(sets.consumesProduced, ({ channelsHashes }) => channelsHashes.some(isNumber));
  return { ...sets, consumesMergeable: union(sets.consumesMergeable, met) };
}

function factsBefore(before: ItemState): StateBefore {
  const data = new Map<string, ReadonlySet<string>>();
  const wide = new Map<string, boolean>();
  return {
    hasDatumOf: ({ channelsHash, key }) =>
      remembered(data, channelsHash, () => sourcesOf(before.data(channelsHash))).has(key),
    hasWideJoin: (hash) =>
      remembered(wide, hash, () => before.joins(hash).some(({ channelHashes }) => channelHashes.length > 1)),
  };
}

/** Keys of the produces that data came from. */
function sourcesOf(data: readonly Uint8Array[]): ReadonlySet<string> {
  return new Set(data.map((item) => decodeBincodeDatum(item).source.key));
}

/** Programs use few channels many times. */
function remembered<Value>(known: Map<string, Value>, hash: Uint8Array, find: () => Value): Value {
  const key = hashKey(hash);
  let value = known.get(key);
  if (value === undefined) known.set(key, (value = find()));
  return value;
}

/** Two chains with the same deploys at the same costs are the same, and have one name. @spec 61 §12.4 */
export function nameOf({ deploys }: MergeChain): string {
  return deploys
    .map(({ id, cost }) => `${toHex(id)}:${cost}`)
    .sort()
    .join();
}

/** Returns the total cost of a chain. */
export function chainCost({ deploys }: MergeChain): bigint {
  let sum = 0n;
  for (const { cost } of deploys) sum += cost;
  return sum;
}

/**
 * The dearer chain first; then the one with the dearest deploy, the one with the smallest id, the one of the block that
 * led to the smaller state.
 *
 * @spec 61 §12.4
 */
export function compareChains(left: MergeChain, right: MergeChain): number {
  return (
    compareNumbers(chainCost(right), chainCost(left)) ||
    compareNumbers(highestCost(right), highestCost(left)) ||
    compareBytes(smallestId(left), smallestId(right)) ||
    compareBytes(left.source.postState, right.source.postState) ||
    compareTexts(nameOf(left), nameOf(right))
  );
}

/** A branch with fewer chains first; then chain by chain. Both sorted. @spec 61 §12.6 (step 4) */
export function compareBranches(left: readonly MergeChain[], right: readonly MergeChain[]): number {
  if (left.length !== right.length) return left.length - right.length;
  for (let i = 0; i < left.length; i += 1) {
    const order = compareChains(left[i]!, right[i]!);
    if (order !== 0) return order;
  }
  return 0;
}

function highestCost({ deploys }: MergeChain): bigint {
  return deploys.reduce((most, { cost }) => (cost > most ? cost : most), 0n);
}

function smallestId({ deploys }: MergeChain): Uint8Array {
  return deploys.map(({ id }) => id).reduce((least, id) => (compareBytes(id, least) < 0 ? id : least));
}

function compareNumbers(left: bigint, right: bigint): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
