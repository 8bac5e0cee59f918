import { equalPar } from "../identity/equal.js";
import { structuralHash } from "../identity/structuralHash.js";
import type { Par } from "../model/Par.js";

/** A term and the indices of its occurrences in a list. */
export interface DistinctTerm {
  readonly hash: number;
  /** Ascending. */
  readonly places: number[];
}

/** Groups the terms at some places of a list, given in ascending order, by equality. @spec 20 §9.6, §11.1 */
export function distinctTerms(list: readonly Par[], places: readonly number[]): readonly DistinctTerm[] {
  const distinct: DistinctTerm[] = [];
  const byHash = new Map<number, DistinctTerm[]>();
  for (const place of places) {
    const hash = structuralHash(list[place]!);
    const bucket = byHash.get(hash);
    const known = bucket?.find((term) => equalPar(list[term.places[0]!]!, list[place]!));
    if (known !== undefined) {
      known.places.push(place);
      continue;
    }
    const term = { hash, places: [place] };
    distinct.push(term);
    if (bucket === undefined) byHash.set(hash, [term]);
    else bucket.push(term);
  }
  return distinct;
}

/**
 * The order in which an immutable hash trie of Scala 2.12 lists its keys: by groups of five bits of the improved
 * hash, the lowest group first.
 *
 * @spec 20 §9.6, §11.2
 */
export function inTrieOrder(terms: readonly DistinctTerm[]): readonly DistinctTerm[] {
  if (terms.length < 2) return terms;
  return [...terms].sort((a, b) => compareTrieKeys(improve(a.hash), improve(b.hash)));
}

function compareTrieKeys(left: number, right: number): number {
  for (let shift = 0; shift < 32; shift += 5) {
    const order = ((left >>> shift) & 31) - ((right >>> shift) & 31);
    if (order !== 0) return order;
  }
  return 0;
}

/** The trie's own spreading of a hash. @spec 20 §11.2 */
function improve(hash: number): number {
  let h = (hash + ~(hash << 9)) | 0;
  h ^= h >>> 14;
  h = (h + (h << 4)) | 0;
  return h ^ (h >>> 10);
}
