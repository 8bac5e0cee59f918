import type { Par } from "../model/Par.js";
import { counted } from "../model/work.js";
import { isKnownToAscend, noteAscending } from "./ascending.js";
import { compareSorted } from "./compare.js";
import type { AtomOrder } from "./compareAtoms.js";
import { noteTie } from "./ties.js";
import { distinctTerms, inTrieOrder } from "./trieOrder.js";

/**
 * The elements that a set of these has, in canonical order: the sorted list itself where nothing changes.
 *
 * Quirk 20 §9.6: duplicates are found among the elements as given; elements that become equal only by sorting
 * stay, until the set is sorted again. Elements of equal score come in the order of rnode's hash trie.
 *
 * @spec 20 §9.6
 * @param sorted the elements, each in canonical form
 * @cost sorting; hashes of terms are worked out only for elements of equal score
 */
export function inSetOrder(elements: readonly Par[], sorted: readonly Par[], atoms: AtomOrder): readonly Par[] {
  return elementsAscend(sorted, atoms) ? sorted : ordered(elements, sorted, atoms);
}

/** Whether elements in canonical form ascend strictly. */
export function elementsAscend(sorted: readonly Par[], atoms: AtomOrder): boolean {
  if (isKnownToAscend(sorted, atoms)) return true;
  for (let i = 1; i < sorted.length; i += 1) if (compareSorted(sorted[i - 1]!, sorted[i]!, atoms) >= 0) return false;
  noteAscending(sorted, atoms);
  return true;
}

function ordered(elements: readonly Par[], sorted: readonly Par[], atoms: AtomOrder): readonly Par[] {
  const places = sorted.map((_, place) => place).sort(counted((a, b) => compareSorted(sorted[a]!, sorted[b]!, atoms)));
  const ps: Par[] = [];
  for (let start = 0; start < places.length; ) {
    let end = start + 1;
    while (end < places.length && compareSorted(sorted[places[start]!]!, sorted[places[end]!]!, atoms) === 0) end += 1;
    if (end === start + 1) ps.push(sorted[places[start]!]!);
    else for (const place of tied(elements, places.slice(start, end))) ps.push(sorted[place]!);
    start = end;
  }
  return ps;
}

/** Returns the elements of one score that differ, in the order of the hash trie. */
function tied(elements: readonly Par[], places: readonly number[]): readonly number[] {
  const terms = distinctTerms(elements, places);
  if (terms.length > 1) noteTie();
  return inTrieOrder(terms).map((term) => term.places[0]!);
}
