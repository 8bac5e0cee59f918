import { equalPar } from "../identity/equal.js";
import { emptyBitSet } from "../model/BitSet.js";
import type { KeyValuePair, Par } from "../model/Par.js";
import { checkPartCount } from "../model/TermLimitError.js";
import { counted } from "../model/work.js";
import { ascendingAs, isKnownToAscend, noteAscending } from "./ascending.js";
import { compareSorted } from "./compare.js";
import type { AtomOrder } from "./compareAtoms.js";
import { makeMap } from "./makeMap.js";
import { makeSet } from "./makeSet.js";
import { entriesAscend } from "./mapOrder.js";
import { elementsAscend } from "./setOrder.js";
import { sortEach, sortPairs } from "./sortPar.js";

/** Up to this many keys of a map are in the order of insertion (20 §9.6). */
const keysInOrder = 4;

/** How items of one kind of list are compared. */
interface ItemOrder<T> {
  readonly termOf: (item: T) => Par;
  readonly compare: (left: Par, right: Par) => number;
}

/**
 * The elements of two sets together, in canonical order: those that `makeSet` has of both lists.
 *
 * @spec 20 §9.6
 * @cost compares as many as the second has, times the logarithm of the first, unless different elements rank alike
 */
export function unitedElements(one: readonly Par[], other: readonly Par[], atoms: AtomOrder): readonly Par[] {
  checkPartCount(one.length + other.length);
  const isPlain = areElementsPlain(one, atoms) && areElementsPlain(other, atoms);
  const united = isPlain ? merged(one, other, orderOf(itself, atoms), (first) => first) : undefined;
  if (united === undefined) return makeSet(one.concat(other), emptyBitSet, false, undefined, atoms).ps;
  noteAscending(united, atoms);
  return united;
}

/**
 * The entries of two maps together, of which the second's values win: those that `makeMap` has of both lists.
 *
 * @param isHashed as of `makeMap`
 * @spec 20 §9.6
 * @cost as of {@link unitedElements}
 */
export function unitedEntries(
  one: readonly KeyValuePair[],
  other: readonly KeyValuePair[],
  isHashed: boolean,
  atoms: AtomOrder,
): readonly KeyValuePair[] {
  checkPartCount(one.length + other.length);
  const isPlain = one.length > keysInOrder && areEntriesPlain(one, atoms) && areEntriesPlain(other, atoms);
  const united = isPlain ? merged(one, other, orderOf(keyOf, atoms), replaced) : undefined;
  if (united === undefined) return makeMap(one.concat(other), emptyBitSet, false, undefined, atoms, isHashed).kvs;
  noteAscending(united, atoms);
  return united;
}

/**
 * Elements of a set without those of another.
 *
 * @returns `undefined` where either is not in the one order that elements can have
 * @cost as of {@link unitedElements}
 */
export function elementsWithoutOthers(
  one: readonly Par[],
  other: readonly Par[],
  atoms: AtomOrder,
): readonly Par[] | undefined {
  if (!areElementsPlain(one, atoms) || !areElementsPlain(other, atoms)) return undefined;
  return without(one, other, orderOf(itself, atoms));
}

/** Returns the entries of a map without the keys of another map; as {@link elementsWithoutOthers}. */
export function entriesWithoutOthers(
  one: readonly KeyValuePair[],
  other: readonly KeyValuePair[],
  atoms: AtomOrder,
): readonly KeyValuePair[] | undefined {
  if (!areEntriesPlain(one, atoms) || !areEntriesPlain(other, atoms)) return undefined;
  return without(one, other, orderOf(keyOf, atoms));
}

function itself(element: Par): Par {
  return element;
}

function keyOf({ key }: KeyValuePair): Par {
  return key;
}

/** Quirk 20 §9.6: with another value an entry brings its own key along. */
function replaced(first: KeyValuePair, second: KeyValuePair): KeyValuePair {
  return { key: second.value === first.value ? first.key : second.key, value: second.value };
}

function orderOf<T>(termOf: (item: T) => Par, atoms: AtomOrder): ItemOrder<T> {
  return { termOf, compare: counted((left: Par, right: Par) => compareSorted(left, right, atoms)) };
}

/** Whether elements are in canonical form and ascend strictly. */
function areElementsPlain(elements: readonly Par[], atoms: AtomOrder): boolean {
  return (
    isKnownToAscend(elements, atoms) || (sortEach(elements, atoms) === elements && elementsAscend(elements, atoms))
  );
}

function areEntriesPlain(entries: readonly KeyValuePair[], atoms: AtomOrder): boolean {
  return isKnownToAscend(entries, atoms) || (sortPairs(entries, atoms) === entries && entriesAscend(entries, atoms));
}

/** @returns `undefined` where different terms rank alike */
function merged<T>(
  one: readonly T[],
  other: readonly T[],
  order: ItemOrder<T>,
  ofBoth: (first: T, second: T) => T,
): readonly T[] | undefined {
  const united: T[] = [];
  let from = 0;
  for (const item of other) {
    const term = order.termOf(item);
    const at = placeOf(one, from, term, order);
    for (; from < at; from += 1) united.push(one[from]!);
    const there = one[at];
    if (there === undefined || order.compare(order.termOf(there), term) !== 0) united.push(item);
    else if (equalPar(order.termOf(there), term)) {
      united.push(ofBoth(there, item));
      from += 1;
    } else return undefined;
  }
  for (; from < one.length; from += 1) united.push(one[from]!);
  return united;
}

function without<T>(one: readonly T[], other: readonly T[], order: ItemOrder<T>): readonly T[] {
  const left: T[] = [];
  let from = 0;
  for (const item of other) {
    const term = order.termOf(item);
    const at = placeOf(one, from, term, order);
    for (; from < at; from += 1) left.push(one[from]!);
    const there = one[at];
    if (there !== undefined && equalPar(order.termOf(there), term)) from += 1;
  }
  for (; from < one.length; from += 1) left.push(one[from]!);
  return ascendingAs(one, left);
}

/** Returns the first index from one on with an item that does not rank below a term. */
function placeOf<T>(list: readonly T[], from: number, term: Par, { termOf, compare }: ItemOrder<T>): number {
  let low = from;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(termOf(list[middle]!), term) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
