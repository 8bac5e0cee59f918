import { equalPar } from "../identity/equal.js";
import { emptyBitSet } from "../model/BitSet.js";
import type { KeyValuePair, Par } from "../model/Par.js";
import { checkPartCount } from "../model/TermLimitError.js";
import { ascendingAs, isKnownToAscend } from "../order/ascending.js";
import { compareSorted } from "../order/compare.js";
import { type AtomOrder, f1r3nodeAtoms } from "../order/compareAtoms.js";
import { makeMap } from "../order/makeMap.js";
import { makeSet } from "../order/makeSet.js";
import { entriesAscend } from "../order/mapOrder.js";
import { elementsAscend } from "../order/setOrder.js";
import { sortEach, sortedBy, sortPairs } from "../order/sortPar.js";

/**
 * Elements of a set of f1r3node with one more, in canonical order.
 *
 * @spec 20 §9.6, 61 §6.4
 * @cost grows with the set, but compares few elements, unless others rank as the new one does
 */
export function f1r3nodeElementsWith(elements: readonly Par[], added: Par): readonly Par[] {
  const element = sortedBy(added, f1r3nodeAtoms);
  const place = learn(elements, sortEach, elementsAscend) ? placeIn(elements, element, itself) : undefined;
  if (place === undefined) return makeSet([...elements, element], emptyBitSet, false, undefined, f1r3nodeAtoms).ps;
  checkPartCount(elements.length + 1);
  if (place.isThere) return elements;
  return ascendingAs(elements, elements.toSpliced(place.at, 0, element));
}

/**
 * Entries of a map of f1r3node with one more, or with another value for a key, in canonical order.
 *
 * @spec 20 §9.6, 61 §6.4
 * @cost as of {@link f1r3nodeElementsWith}
 */
export function f1r3nodeEntriesWith(entries: readonly KeyValuePair[], added: KeyValuePair): readonly KeyValuePair[] {
  const entry = { key: sortedBy(added.key, f1r3nodeAtoms), value: sortedBy(added.value, f1r3nodeAtoms) };
  // Quirk 20 §9.6: a key that is sorted only afterwards does not replace an equal one.
  const isPlain = entry.key === added.key && learn(entries, sortPairs, entriesAscend);
  const place = isPlain ? placeIn(entries, entry.key, keyOf) : undefined;
  if (place === undefined) return makeMap([...entries, added], emptyBitSet, false, undefined, f1r3nodeAtoms).kvs;
  checkPartCount(entries.length + 1);
  if (!place.isThere) return ascendingAs(entries, entries.toSpliced(place.at, 0, entry));
  const { key, value } = entries[place.at]!;
  // Quirk 20 §9.6: with another value an entry brings its own key along.
  const kept = added.value === value ? key : entry.key;
  return ascendingAs(entries, entries.with(place.at, { key: kept, value: entry.value }));
}

function itself(element: Par): Par {
  return element;
}

function keyOf({ key }: KeyValuePair): Par {
  return key;
}

/** Whether a long list ascends, which is looked at once. */
function learn<T>(
  list: readonly T[],
  sort: (list: readonly T[], atoms: AtomOrder) => readonly T[],
  ascends: (list: readonly T[], atoms: AtomOrder) => boolean,
): boolean {
  if (isKnownToAscend(list, f1r3nodeAtoms)) return true;
  return sort(list, f1r3nodeAtoms) === list && ascends(list, f1r3nodeAtoms) && isKnownToAscend(list, f1r3nodeAtoms);
}

interface Place {
  readonly at: number;
  /** Whether the list has an equal term there. */
  readonly isThere: boolean;
}

/** Where a term belongs in a list that ascends. @returns `undefined` where another term ranks as this one */
function placeIn<T>(list: readonly T[], term: Par, termOf: (item: T) => Par): Place | undefined {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareSorted(termOf(list[middle]!), term, f1r3nodeAtoms) < 0) low = middle + 1;
    else high = middle;
  }
  const there = list[low];
  if (there === undefined || compareSorted(termOf(there), term, f1r3nodeAtoms) !== 0)
    return { at: low, isThere: false };
  return equalPar(termOf(there), term) ? { at: low, isThere: true } : undefined;
}
