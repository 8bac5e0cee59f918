import { toHex } from "@vedette/crypto";
import { channelsHash } from "../../event/channelsHash.js";
import { consumesAffected, type EventSets, producesAffected } from "../eventIndex.js";
import { type KeyChange, multisetMinus, requireJoin, type StateChange } from "../stateChange.js";
import type { ItemState } from "./ItemState.js";

/**
 * Returns the part of the change between two states that these events made. A channel that is as before is left out.
 *
 * @spec 30 §A.8, 61 §12.4
 * @throws {MergeError} `joinMissing`
 */
export function itemChange(events: EventSets, before: ItemState, after: ItemState): StateChange {
  const data = new Map<string, KeyChange>();
  for (const { channelsHash: hash } of producesAffected(events).values()) {
    const key = toHex(hash);
    if (!data.has(key)) setChanged(data, key, changeOf(hash, before.data(hash), after.data(hash)));
  }
  const continuations = new Map<string, KeyChange>();
  const joins = new Map<string, Uint8Array>();
  for (const { channelsHashes } of consumesAffected(events).values()) {
    const hash = channelsHash(channelsHashes);
    const key = toHex(hash);
    if (continuations.has(key)) continue;
    const change = changeOf(hash, before.continuations(hash), after.continuations(hash));
    setChanged(continuations, key, change);
    if (change !== undefined) joins.set(key, requireJoin(hash, channelsHashes, before, after).encoding);
  }
  return { data, continuations, joins };
}

/**
 * Both changes together: what one adds or removes as often as the other counts once; what is added and removed is
 * neither.
 *
 * Not associative where chains share items: the order of the chains decides.
 *
 * @spec 61 §12.7
 */
export function combineItemChanges(left: StateChange, right: StateChange): StateChange {
  return {
    data: combineKeys(left.data, right.data),
    continuations: combineKeys(left.continuations, right.continuations),
    joins: new Map([...left.joins, ...right.joins]),
  };
}

function setChanged(changes: Map<string, KeyChange>, key: string, change: KeyChange | undefined): void {
  if (change !== undefined) changes.set(key, change);
}

function changeOf(hash: Uint8Array, old: readonly Uint8Array[], now: readonly Uint8Array[]): KeyChange | undefined {
  const added = multisetMinus(now, old);
  const removed = multisetMinus(old, now);
  return added.length === 0 && removed.length === 0 ? undefined : { hash, added, removed };
}

function combineKeys(
  left: ReadonlyMap<string, KeyChange>,
  right: ReadonlyMap<string, KeyChange>,
): ReadonlyMap<string, KeyChange> {
  const result = new Map(left);
  for (const [key, { hash, added, removed }] of right) {
    const own = result.get(key);
    const allAdded = atMost(own?.added ?? [], added);
    const allRemoved = atMost(own?.removed ?? [], removed);
    result.set(key, {
      hash,
      added: multisetMinus(allAdded, allRemoved),
      removed: multisetMinus(allRemoved, allAdded),
    });
  }
  return result;
}

/** Each item as often as in the one of the two that has more of it. */
function atMost(left: readonly Uint8Array[], right: readonly Uint8Array[]): Uint8Array[] {
  return [...left, ...multisetMinus(right, left)];
}
