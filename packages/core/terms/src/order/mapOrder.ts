import type { KeyValuePair } from "../model/Par.js";
import { counted } from "../model/work.js";
import { isKnownToAscend, noteAscending } from "./ascending.js";
import { compareSorted } from "./compare.js";
import type { AtomOrder } from "./compareAtoms.js";
import { noteTie } from "./ties.js";
import { type DistinctTerm, distinctTerms, inTrieOrder } from "./trieOrder.js";

/**
 * The entries that a map of these has, in canonical order: the sorted list itself where nothing changes. Of entries
 * with equal keys the last value counts.
 *
 * Quirk 20 §9.6: equal keys are found among the keys as given, as in sets. Keys of equal score come in
 * the order of insertion up to four keys, from five on in the order of rnode's hash trie.
 *
 * @spec 20 §9.6, 21 §5.5
 * @param sorted the entries, each key and value in canonical form
 * @param isHashed the map comes out of an operation on maps, which always works on a hash trie
 */
export function inMapOrder(
  pairs: readonly KeyValuePair[],
  sorted: readonly KeyValuePair[],
  isHashed: boolean,
  atoms: AtomOrder,
): readonly KeyValuePair[] {
  return entriesAscend(sorted, atoms) ? sorted : ordered(pairs, sorted, isHashed, atoms);
}

/** Whether entries in canonical form ascend strictly by their keys. */
export function entriesAscend(sorted: readonly KeyValuePair[], atoms: AtomOrder): boolean {
  if (isKnownToAscend(sorted, atoms)) return true;
  for (let i = 1; i < sorted.length; i += 1)
    if (compareSorted(sorted[i - 1]!.key, sorted[i]!.key, atoms) >= 0) return false;
  noteAscending(sorted, atoms);
  return true;
}

function ordered(
  pairs: readonly KeyValuePair[],
  sorted: readonly KeyValuePair[],
  isHashed: boolean,
  atoms: AtomOrder,
): readonly KeyValuePair[] {
  const groups = groupsOfEqualScore(pairs, sorted, atoms);
  const insertions = groups.flatMap((group) => group.map((term) => term.places[0]!)).sort((a, b) => a - b);
  const isTrie = isHashed || insertions.length > maxKeysInOrder;
  const trieStart = isHashed ? 0 : (insertions[maxKeysInOrder] ?? pairs.length);
  const kvs: KeyValuePair[] = [];
  for (const group of groups) {
    if (group.length > 1) noteTie();
    for (const term of isTrie ? inTrieOrder(group) : group) {
      const value = sorted[term.places[term.places.length - 1]!]!.value;
      kvs.push({ key: sorted[keyPlace(pairs, term, trieStart)]!.key, value });
    }
  }
  return kvs;
}

/** rnode keeps up to this number of entries in the order of insertion, more in a hash trie. */
const maxKeysInOrder = 4;

/** The distinct keys in groups of one score, groups in ascending order, keys of a group in order of insertion. */
function groupsOfEqualScore(
  pairs: readonly KeyValuePair[],
  sorted: readonly KeyValuePair[],
  atoms: AtomOrder,
): readonly (readonly DistinctTerm[])[] {
  const keys = pairs.map((pair) => pair.key);
  const places = sorted
    .map((_, place) => place)
    .sort(counted((a, b) => compareSorted(sorted[a]!.key, sorted[b]!.key, atoms)));
  const groups: (readonly DistinctTerm[])[] = [];
  for (let start = 0; start < places.length; ) {
    let end = start + 1;
    while (end < places.length && compareSorted(sorted[places[start]!]!.key, sorted[places[end]!]!.key, atoms) === 0)
      end += 1;
    groups.push(
      end === start + 1 ? [{ hash: 0, places: [places[start]!] }] : distinctTerms(keys, places.slice(start, end)),
    );
    start = end;
  }
  return groups;
}

/**
 * Returns which of several equal keys stays: the first, but once the map is a trie an entry with another value brings
 * its own key along. (They can differ in their facts about free variables.)
 */
function keyPlace(pairs: readonly KeyValuePair[], term: DistinctTerm, trieStart: number): number {
  let place = term.places[0]!;
  let { value } = pairs[place]!;
  for (const later of term.places) {
    if (later >= trieStart && pairs[later]!.value !== value) place = later;
    value = pairs[later]!.value;
  }
  return place;
}
