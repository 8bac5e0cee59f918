import {
  anyConnectiveUsed,
  type BitSet,
  type EMap,
  type ESet,
  emptyBitSet,
  equalPar,
  f1r3nodeTerms,
  type KeyValuePair,
  type Par,
  uniteIndices,
  uniteIndicesOf,
} from "@vedette/terms";
import type { Flags } from "../../evaluate/method/flags.js";

const itself = (element: Par): Par => element;
const keyOf = (entry: KeyValuePair): Par => entry.key;

/** Returns the index of an element in a set; -1 if it is missing. */
export function findElement(elements: readonly Par[], query: Par): number {
  return findSorted(elements, itself, query);
}

/** Returns the index of a key in a map; -1 if it is missing. */
export function findKey(entries: readonly KeyValuePair[], query: Par): number {
  return findSorted(entries, keyOf, query);
}

/** The last place of an equal term in a list in canonical order. The query is sorted first. @cost compares few terms */
function findSorted<T>(list: readonly T[], termOf: (element: T) => Par, query: Par): number {
  const sorted = f1r3nodeTerms.sortPar(query);
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (f1r3nodeTerms.compareScores(termOf(list[middle]!), sorted) <= 0) low = middle + 1;
    else high = middle;
  }
  for (let i = low - 1; i >= 0; i -= 1) {
    const term = termOf(list[i]!);
    if (equalPar(term, sorted)) return i;
    if (f1r3nodeTerms.compareScores(term, sorted) !== 0) return -1;
  }
  return -1;
}

/** Flags of two terms together. */
export function joinedFlags(one: Flags, other: Flags): Flags {
  return {
    locallyFree: uniteIndices(one.locallyFree, other.locallyFree),
    connectiveUsed: one.connectiveUsed || other.connectiveUsed,
  };
}

/** A set of these elements with the flags given. */
export function flaggedSet(elements: readonly Par[], { locallyFree, connectiveUsed }: Flags): ESet {
  return f1r3nodeTerms.makeSet(elements, locallyFree, connectiveUsed, undefined);
}

/** A set of these elements, with flags worked out from them. */
export function setOf(elements: readonly Par[]): ESet {
  return f1r3nodeTerms.makeSet(elements, uniteIndicesOf(elements), anyConnectiveUsed(elements), undefined);
}

/** A map of these entries with the flags given. */
export function flaggedMap(entries: readonly KeyValuePair[], { locallyFree, connectiveUsed }: Flags): EMap {
  return f1r3nodeTerms.makeMap(entries, locallyFree, connectiveUsed, undefined);
}

/** A map of these entries, with flags worked out from them. */
export function mapOf(entries: readonly KeyValuePair[]): EMap {
  let free: BitSet = emptyBitSet;
  let used = false;
  for (const { key, value } of entries) {
    free = uniteIndices(uniteIndices(free, key.locallyFree), value.locallyFree);
    used ||= key.connectiveUsed || value.connectiveUsed;
  }
  return f1r3nodeTerms.makeMap(entries, free, used, undefined);
}
