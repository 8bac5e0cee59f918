import {
  anyConnectiveUsed,
  ascendingAs,
  compareScores,
  ESet,
  emptyBitSet,
  equalPar,
  makeSet,
  type Par,
  rnodeAtoms,
  sortPar,
  unionOfLocallyFree,
} from "@vedette/terms";
import type { Flags } from "./flags.js";
import { endOfScore, findSorted } from "./sortedSearch.js";

/**
 * The elements of a set as they were evaluated, for the few sets where one of them was not sorted.
 *
 * Quirk 21 §5.5: adding and deleting work on the elements as they were given, so an element that is sorted only
 * afterwards is not found: it is added a second time, and it is not deleted.
 */
const givenElements = new WeakMap<ESet, readonly Par[]>();

/** Remembers the elements that a set was made of. @spec 21 §5.5 */
export function rememberGiven(set: ESet, given: readonly Par[]): ESet {
  if (given.some((element) => sortPar(element) !== element)) givenElements.set(set, given);
  return set;
}

const itself = (element: Par): Par => element;

/** Returns the index of an element in a set; -1 if it is missing. @spec 21 §5.5 */
export function findElement(elements: readonly Par[], query: Par): number {
  return findSorted(elements, itself, query);
}

/** Elements of a set with one more. @spec 21 §5.5 @cost grows with the set, but compares few elements */
export function elementsWith(set: ESet, added: Par): readonly Par[] {
  const element = sortPar(added);
  const given = givenElements.get(set);
  if (given !== undefined) return setElements([...given, element]);
  const place = endOfScore(set.ps, itself, element);
  const before = set.ps[place - 1];
  if (before === undefined || compareScores(before, element) !== 0)
    return ascendingAs(set.ps, set.ps.toSpliced(place, 0, element));
  return findElement(set.ps, element) === -1 ? setElements([...set.ps, element]) : set.ps;
}

/** Elements of a set without one. @spec 21 §5.5 */
export function elementsWithout(set: ESet, removed: Par): readonly Par[] {
  const element = sortPar(removed);
  const given = givenElements.get(set);
  if (given !== undefined) return setElements(given.filter((other) => !equalPar(other, element)));
  const place = findElement(set.ps, element);
  return place === -1 ? set.ps : ascendingAs(set.ps, set.ps.toSpliced(place, 1));
}

/** A set of these elements, with flags worked out from them. @spec 21 §5.5 */
export function setOf(elements: readonly Par[]): ESet {
  return makeSet(elements, unionOfLocallyFree(elements), anyConnectiveUsed(elements), undefined, rnodeAtoms);
}

/** A set of elements in canonical order. */
export function flaggedSet(elements: readonly Par[], flags: Flags): ESet {
  return new ESet(elements, flags.locallyFree, flags.connectiveUsed, undefined);
}

function setElements(elements: readonly Par[]): readonly Par[] {
  return makeSet(elements, emptyBitSet, false, undefined, rnodeAtoms).ps;
}
