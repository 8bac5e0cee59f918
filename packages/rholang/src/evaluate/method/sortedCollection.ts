import {
  anyConnectiveUsed,
  type BitSet,
  compareScores,
  EMap,
  ESet,
  emptyBitSet,
  equalPar,
  type KeyValuePair,
  makeMap,
  makeSet,
  type Par,
  sortPar,
  unionBits,
  unionOfLocallyFree,
} from "@vedette/terms";

/** The flags of a collection. */
export interface Flags {
  readonly locallyFree: BitSet;
  readonly connectiveUsed: boolean;
}

/** Flags of two terms together. @spec 21 §6.3 */
export function joinedFlags(one: Flags, other: Flags): Flags {
  return {
    locallyFree: unionBits(one.locallyFree, other.locallyFree),
    connectiveUsed: one.connectiveUsed || other.connectiveUsed,
  };
}

/** A set of these elements, with flags worked out from them. @spec 21 §5.5 */
export function setOf(elements: readonly Par[]): ESet {
  return makeSet(elements, unionOfLocallyFree(elements), anyConnectiveUsed(elements), undefined);
}

/** A map of these pairs, with flags worked out from them. @spec 21 §5.5 */
export function mapOf(pairs: readonly KeyValuePair[]): EMap {
  const { locallyFree, connectiveUsed } = pairFlags(pairs);
  return makeMap(pairs, locallyFree, connectiveUsed, undefined);
}

function pairFlags(pairs: readonly KeyValuePair[]): Flags {
  let locallyFree: BitSet = emptyBitSet;
  let connectiveUsed = false;
  for (const { key, value } of pairs) {
    if (key.locallyFree.length > 0) locallyFree = unionBits(locallyFree, key.locallyFree);
    if (value.locallyFree.length > 0) locallyFree = unionBits(locallyFree, value.locallyFree);
    connectiveUsed ||= key.connectiveUsed || value.connectiveUsed;
  }
  return { locallyFree, connectiveUsed };
}

const itself = (element: Par): Par => element;
const keyOf = (pair: KeyValuePair): Par => pair.key;

/**
 * Where an element stands in a set: the query is sorted first, as the reference does.
 *
 * @spec 21 §5.5
 * @returns its index; -1 where it is missing
 */
export function findElement(elements: readonly Par[], query: Par): number {
  return findSorted(elements, itself, sortPar(query));
}

/** Where a key stands in a map; the last place, should it stand there twice. @spec 21 §5.5 */
export function findKey(pairs: readonly KeyValuePair[], query: Par): number {
  return findSorted(pairs, keyOf, sortPar(query));
}

function findSorted<T>(list: readonly T[], termOf: (element: T) => Par, query: Par): number {
  // From the last of those with the score of the query backwards: only there can it be.
  for (let i = endOfScore(list, termOf, query) - 1; i >= 0; i -= 1) {
    const term = termOf(list[i]!);
    if (equalPar(term, query)) return i;
    if (compareScores(term, query) !== 0) return -1;
  }
  return -1;
}

/** Number of elements whose score is not above that of the query. */
function endOfScore<T>(list: readonly T[], termOf: (element: T) => Par, query: Par): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareScores(termOf(list[middle]!), query) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Elements of a set with one more. @spec 21 §5.5 @cost grows with the set, but compares few elements */
export function elementsWith(elements: readonly Par[], added: Par): readonly Par[] {
  const element = sortPar(added);
  const place = endOfScore(elements, itself, element);
  const before = elements[place - 1];
  if (before !== undefined && compareScores(before, element) === 0) {
    if (findElement(elements, element) !== -1) return elements;
    return makeSet([...elements, element], emptyBitSet, false, undefined).ps;
  }
  return elements.toSpliced(place, 0, element);
}

/** Up to so many entries the reference keeps a map in order of insertion. */
const smallMap = 4;

/**
 * Entries of a map with one more, or with another value for a key.
 *
 * Quirk 21 §5.5: the key is compared as it was evaluated, not as it is sorted.
 *
 * @spec 21 §5.5
 * @cost grows with the map, but compares few keys
 */
export function pairsWith(pairs: readonly KeyValuePair[], key: Par, value: Par): readonly KeyValuePair[] {
  // Where order of insertion, ties or a key that is not sorted play a part, the whole map is made anew.
  if (pairs.length <= smallMap || sortPar(key) !== key) return remade(pairs, key, value);
  const place = endOfScore(pairs, keyOf, key);
  if (!hasScore(pairs[place - 1], key)) return pairs.toSpliced(place, 0, { key, value: sortPar(value) });
  const known = pairs[place - 1]!;
  if (hasScore(pairs[place - 2], key) || !equalPar(known.key, key)) return remade(pairs, key, value);
  return known.value === value ? pairs : pairs.with(place - 1, { key, value: sortPar(value) });
}

function hasScore(pair: KeyValuePair | undefined, key: Par): boolean {
  return pair !== undefined && compareScores(pair.key, key) === 0;
}

function remade(pairs: readonly KeyValuePair[], key: Par, value: Par): readonly KeyValuePair[] {
  return makeMap([...pairs, { key, value }], emptyBitSet, false, undefined).kvs;
}

/** A set with other flags. */
export function flaggedSet(elements: readonly Par[], flags: Flags): ESet {
  return new ESet(elements, flags.locallyFree, flags.connectiveUsed, undefined);
}

/** A map with other flags. */
export function flaggedMap(pairs: readonly KeyValuePair[], flags: Flags): EMap {
  return new EMap(pairs, flags.locallyFree, flags.connectiveUsed, undefined);
}

/** A map of pairs in order, with flags worked out from them. */
export function mapOfSorted(pairs: readonly KeyValuePair[]): EMap {
  return flaggedMap(pairs, pairFlags(pairs));
}
