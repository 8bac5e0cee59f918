import {
  ascendingAs,
  type BitSet,
  compareScores,
  EMap,
  emptyBitSet,
  entriesWithoutOthers,
  equalPar,
  type KeyValuePair,
  makeMap,
  type Par,
  rnodeAtoms,
  sortPar,
  unionBits,
  unitedEntries,
} from "@vedette/terms";
import type { Flags } from "./flags.js";
import { endOfScore, findSorted } from "./sortedSearch.js";

/** Maps with keys that were not all sorted when they were given: one key may occur there twice until an operation. */
const irregularMaps = new WeakSet<EMap>();

/** Remembers that a map may hold a key twice. @spec 21 §5.5 */
export function rememberKeys(map: EMap, given: readonly KeyValuePair[]): EMap {
  if (given.some(({ key }) => sortPar(key) !== key)) irregularMaps.add(map);
  return map;
}

/** A map of up to this many entries may be in order of insertion; operations make a hash trie of it. */
const smallMap = 4;

const keyOf = (entry: KeyValuePair): Par => entry.key;

/** Returns the index of a key in a map, the last one if it occurs twice; -1 if it is missing. @spec 21 §5.5 */
export function findKey(entries: readonly KeyValuePair[], query: Par): number {
  return findSorted(entries, keyOf, query);
}

/**
 * Entries of a map with one more, or with another value for a key.
 *
 * Quirk 21 §5.5: the key is compared as it was evaluated, not as it is sorted.
 *
 * @spec 21 §5.5
 * @cost grows with the map, but compares few keys
 */
export function entriesWith(map: EMap, key: Par, value: Par): readonly KeyValuePair[] {
  const entries = map.kvs;
  const isPlain = isPlainMap(map) && sortPar(key) === key;
  const place = isPlain ? endOfScore(entries, keyOf, key) : 0;
  if (isPlain && !hasScore(entries[place - 1], key))
    return ascendingAs(entries, entries.toSpliced(place, 0, { key, value: sortPar(value) }));
  if (!isPlain || hasScore(entries[place - 2], key) || !equalPar(entries[place - 1]!.key, key))
    return remade([...entries, { key, value }]);
  if (entries[place - 1]!.value === value) return entries;
  return ascendingAs(entries, entries.with(place - 1, { key, value: sortPar(value) }));
}

/** Returns the entries of a map without the keys of another map. @spec 21 §5.5 */
export function entriesWithoutKeys(map: EMap, other: EMap): readonly KeyValuePair[] {
  const left = isPlainMap(map) ? entriesWithoutOthers(map.kvs, other.kvs, rnodeAtoms) : undefined;
  return left ?? entriesWithout(map, (key) => findKey(other.kvs, key) !== -1);
}

/** Entries of a map without some. @spec 21 §5.5 */
function entriesWithout(map: EMap, isRemoved: (key: Par) => boolean): readonly KeyValuePair[] {
  const left = ascendingAs(
    map.kvs,
    map.kvs.filter(({ key }) => !isRemoved(key)),
  );
  return isPlainMap(map) ? left : remade(left);
}

/** Entries of a map without a key. @spec 21 §5.5 */
export function entriesWithoutKey(map: EMap, removed: Par): readonly KeyValuePair[] {
  if (!isPlainMap(map)) {
    const sorted = sortPar(removed);
    return entriesWithout(map, (key) => equalPar(key, sorted));
  }
  const place = findKey(map.kvs, removed);
  return place === -1 ? map.kvs : ascendingAs(map.kvs, map.kvs.toSpliced(place, 1));
}

/** Entries of two maps, of which the second's values win. @spec 21 §5.5 */
export function joinedEntries(one: EMap, other: EMap): readonly KeyValuePair[] {
  return unitedEntries(one.kvs, other.kvs, true, rnodeAtoms);
}

/** A map of these entries, with flags worked out from them. @spec 21 §5.5 */
export function mapOf(entries: readonly KeyValuePair[]): EMap {
  const { locallyFree, connectiveUsed } = entryFlags(entries);
  return makeMap(entries, locallyFree, connectiveUsed, undefined, rnodeAtoms);
}

/** A map of entries in canonical order, with flags worked out from them. */
export function mapOfSorted(entries: readonly KeyValuePair[]): EMap {
  return flaggedMap(entries, entryFlags(entries));
}

/** A map of entries in canonical order. */
export function flaggedMap(entries: readonly KeyValuePair[], flags: Flags): EMap {
  return new EMap(entries, flags.locallyFree, flags.connectiveUsed, undefined);
}

/** Whether an operation leaves the order of a map's entries as it is, each key standing there once. */
function isPlainMap(map: EMap): boolean {
  return map.kvs.length > smallMap && !irregularMaps.has(map);
}

/** Entries in the order that an operation on maps leaves. */
function remade(entries: readonly KeyValuePair[]): readonly KeyValuePair[] {
  return makeMap(entries, emptyBitSet, false, undefined, rnodeAtoms, true).kvs;
}

function hasScore(entry: KeyValuePair | undefined, key: Par): boolean {
  return entry !== undefined && compareScores(entry.key, key) === 0;
}

function entryFlags(entries: readonly KeyValuePair[]): Flags {
  let locallyFree: BitSet = emptyBitSet;
  let connectiveUsed = false;
  for (const { key, value } of entries) {
    if (key.locallyFree.length > 0) locallyFree = unionBits(locallyFree, key.locallyFree);
    if (value.locallyFree.length > 0) locallyFree = unionBits(locallyFree, value.locallyFree);
    connectiveUsed ||= key.connectiveUsed || value.connectiveUsed;
  }
  return { locallyFree, connectiveUsed };
}
