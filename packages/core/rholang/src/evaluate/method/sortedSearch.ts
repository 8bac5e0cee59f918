import { compareScores, equalPar, type Par, sortPar } from "@vedette/terms";

/**
 * Returns the index of an equal term in a list that is in canonical order. The query is sorted first, as rnode does.
 *
 * @spec 21 §5.5
 * @returns the last such index; -1 if there is none
 * @cost compares few terms
 */
export function findSorted<T>(list: readonly T[], termOf: (element: T) => Par, query: Par): number {
  const sorted = sortPar(query);
  // From the last of those with the score of the query backwards: only there can it be.
  for (let i = endOfScore(list, termOf, sorted) - 1; i >= 0; i -= 1) {
    const term = termOf(list[i]!);
    if (equalPar(term, sorted)) return i;
    if (compareScores(term, sorted) !== 0) return -1;
  }
  return -1;
}

/** Returns the number of elements with a score that is not above that of a sorted query. */
export function endOfScore<T>(list: readonly T[], termOf: (element: T) => Par, query: Par): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareScores(termOf(list[middle]!), query) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
