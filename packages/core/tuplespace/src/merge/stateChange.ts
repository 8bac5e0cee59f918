import { equalBytes, toHex } from "@vedette/crypto";
import { hashKey } from "@vedette/protocol";
import { channelsHash, sortHashes } from "../event/channelsHash.js";
import type { StateView } from "../history/StateView.js";
import { consumesAffected, type EventIndex, type NumberDifferences, producesAffected } from "./eventIndex.js";
import { MergeError } from "./MergeError.js";

/** Encoded items that came to a history key, and that went. @spec 30 §A.8 */
export interface KeyChange {
  readonly hash: Uint8Array;
  readonly added: readonly Uint8Array[];
  readonly removed: readonly Uint8Array[];
}

/** The changes that a chain of deploys makes to a state. Maps are by hex of the hash. @spec 30 §A.8 */
export interface StateChange {
  /** By channel hash. */
  readonly data: ReadonlyMap<string, KeyChange>;
  /** By hash of the channel list. */
  readonly continuations: ReadonlyMap<string, KeyChange>;
  /** The encoded join of each channel list that has changed continuations. */
  readonly joins: ReadonlyMap<string, Uint8Array>;
}

/** No change at all. */
export const emptyStateChange: StateChange = { data: new Map(), continuations: new Map(), joins: new Map() };

/**
 * Returns the part of the change between two states that the events of an index made.
 *
 * @spec 30 §A.8
 * @throws {MergeError} `emptyChange`, `joinMissing`
 */
export function stateChange(index: EventIndex, before: StateView, after: StateView): StateChange {
  const data = new Map<string, KeyChange>();
  for (const { channelsHash: hash } of producesAffected(index).values()) {
    if (!data.has(toHex(hash))) data.set(toHex(hash), change(hash, before.data(hash), after.data(hash), "produce"));
  }
  const continuations = new Map<string, KeyChange>();
  const joins = new Map<string, Uint8Array>();
  for (const { channelsHashes } of consumesAffected(index).values()) {
    const hash = channelsHash(channelsHashes);
    const key = toHex(hash);
    if (continuations.has(key)) continue;
    continuations.set(key, change(hash, before.continuations(hash), after.continuations(hash), "consume"));
    joins.set(key, requireJoin(hash, channelsHashes, before, after).encoding);
  }
  return { data, continuations, joins };
}

/** Hex of the channels with changed data or continuations, without number channels. @spec 40 §16.7 */
export function channelsChanged(index: EventIndex): ReadonlySet<string> {
  const channels = new Set<string>();
  for (const { channelsHash: hash } of producesAffected(index).values()) channels.add(toHex(hash));
  for (const { channelsHashes } of consumesAffected(index).values())
    for (const hash of channelsHashes) channels.add(toHex(hash));
  for (const number of index.numberChannels.keys()) channels.delete(number);
  return channels;
}

/**
 * Returns a change without items that came and went again, and without keys that have nothing left then.
 *
 * @param numbers the number channels on which each earlier value counts
 * @spec 40 §16.7
 */
export function netChange({ data, continuations, joins }: StateChange, numbers: NumberDifferences): StateChange {
  return { data: netOfKeys(data, numbers), continuations: netOfKeys(continuations), joins };
}

function netOfKeys(
  changes: ReadonlyMap<string, KeyChange>,
  numbers?: NumberDifferences,
): ReadonlyMap<string, KeyChange> {
  const net = new Map<string, KeyChange>();
  for (const [key, whole] of changes) {
    if (numbers?.has(key)) {
      net.set(key, whole);
      continue;
    }
    const { hash, added, removed } = whole;
    const left = { hash, added: multisetMinus(added, removed), removed: multisetMinus(removed, added) };
    if (left.added.length > 0 || left.removed.length > 0) net.set(key, left);
  }
  return net;
}

/** Both changes, one after the other. @spec 30 §A.8 */
export function combineChanges(left: StateChange, right: StateChange): StateChange {
  return {
    data: combineKeys(left.data, right.data),
    continuations: combineKeys(left.continuations, right.continuations),
    joins: new Map([...left.joins, ...right.joins]),
  };
}

/** Lists that are compared item with item: most items differ in their first bytes. */
const fewItems = 16;

/** Returns the items in `from` beyond those in `taken`, equal items counted. @spec 30 §A.8, §A.10 */
export function multisetMinus(from: readonly Uint8Array[], taken: readonly Uint8Array[]): Uint8Array[] {
  if (from.length === 0 || taken.length === 0) return [...from];
  return taken.length <= fewItems ? minusFew(from, taken) : minusMany(from, taken);
}

function minusFew(from: readonly Uint8Array[], taken: readonly Uint8Array[]): Uint8Array[] {
  const left = [...taken];
  return from.filter((item) => {
    const at = left.findIndex((one) => one === item || equalBytes(one, item));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function minusMany(from: readonly Uint8Array[], taken: readonly Uint8Array[]): Uint8Array[] {
  const counts = new Map<string, number>();
  for (const item of taken) {
    const key = hashKey(item);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return from.filter((item) => {
    const key = hashKey(item);
    const count = counts.get(key) ?? 0;
    if (count > 0) counts.set(key, count - 1);
    return count === 0;
  });
}

interface Encoded {
  readonly encoding: Uint8Array;
}

function change(
  hash: Uint8Array,
  before: readonly Encoded[],
  after: readonly Encoded[],
  of: "produce" | "consume",
): KeyChange {
  const old = before.map(({ encoding }) => encoding);
  const now = after.map(({ encoding }) => encoding);
  const added = multisetMinus(now, old);
  const removed = multisetMinus(old, now);
  if (added.length === 0 && removed.length === 0) throw new MergeError({ code: "emptyChange", of });
  return { hash, added, removed };
}

/** The joins at a channel in a state. */
interface JoinSource<JoinIn> {
  joins(channelHash: Uint8Array): readonly JoinIn[];
}

/** Finds the join of exactly these channels in one of two states. @throws {MergeError} `joinMissing` */
export function requireJoin<JoinIn extends { readonly channelHashes: readonly Uint8Array[] }>(
  hash: Uint8Array,
  channelHashes: readonly Uint8Array[],
  before: JoinSource<JoinIn>,
  after: JoinSource<JoinIn>,
): JoinIn {
  const wanted = sortHashes(channelHashes);
  const first = wanted[0];
  const candidates = first === undefined ? [] : [...before.joins(first), ...after.joins(first)];
  const join = candidates.find((one) => {
    const hashes = sortHashes(one.channelHashes);
    return hashes.length === wanted.length && hashes.every((own, index) => equalBytes(own, wanted[index]!));
  });
  if (join === undefined) throw new MergeError({ code: "joinMissing", channelsHash: hash });
  return join;
}

function combineKeys(
  left: ReadonlyMap<string, KeyChange>,
  right: ReadonlyMap<string, KeyChange>,
): ReadonlyMap<string, KeyChange> {
  const result = new Map(left);
  for (const [key, { hash, added, removed }] of right) {
    const own = result.get(key);
    result.set(key, {
      hash,
      added: [...(own?.added ?? []), ...added],
      removed: [...(own?.removed ?? []), ...removed],
    });
  }
  return result;
}
