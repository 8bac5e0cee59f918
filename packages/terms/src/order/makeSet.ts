import type { BitSet } from "../model/BitSet.js";
import { ESet } from "../model/Collection.js";
import type { Par } from "../model/Par.js";
import { checkPartCount } from "../model/TermLimitError.js";
import type { Var } from "../model/Var.js";
import { counted } from "../model/work.js";
import { compareSorted } from "./compare.js";
import { sortEach } from "./sortPar.js";
import { distinctTerms, inTrieOrder } from "./trieOrder.js";

/**
 * A set of these elements: duplicates removed, then each element and the list put in canonical order.
 *
 * Quirk 20 §9.6: duplicates are found among the elements as given; elements that become equal only by sorting
 * stay, until the set is sorted again. Elements of equal score come in the order of the reference's hash trie.
 *
 * @spec 20 §9.6
 * @cost sorting; hashes of terms are worked out only for elements of equal score
 */
export function makeSet(
  elements: readonly Par[],
  locallyFree: BitSet,
  connectiveUsed: boolean,
  remainder: Var | undefined,
): ESet {
  checkPartCount(elements.length);
  const sorted = sortEach(elements);
  const ps = isAscending(sorted) ? sorted : ordered(elements, sorted);
  return new ESet(ps, locallyFree, connectiveUsed, remainder);
}

function isAscending(sorted: readonly Par[]): boolean {
  for (let i = 1; i < sorted.length; i += 1) if (compareSorted(sorted[i - 1]!, sorted[i]!) >= 0) return false;
  return true;
}

function ordered(elements: readonly Par[], sorted: readonly Par[]): readonly Par[] {
  const places = sorted.map((_, place) => place).sort(counted((a, b) => compareSorted(sorted[a]!, sorted[b]!)));
  const ps: Par[] = [];
  for (let start = 0; start < places.length; ) {
    let end = start + 1;
    while (end < places.length && compareSorted(sorted[places[start]!]!, sorted[places[end]!]!) === 0) end += 1;
    if (end === start + 1) ps.push(sorted[places[start]!]!);
    else for (const place of tied(elements, places.slice(start, end))) ps.push(sorted[place]!);
    start = end;
  }
  return ps;
}

/** Of elements of one score: those that differ, as the hash trie lists them. */
function tied(elements: readonly Par[], places: readonly number[]): readonly number[] {
  const terms = distinctTerms(elements, places);
  return inTrieOrder(terms).map((term) => term.places[0]!);
}
