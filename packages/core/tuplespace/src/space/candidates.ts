import type { BindPattern, ListParWithRandom } from "@vedette/terms";
import type { Datum } from "../leaf/Datum.js";
import type { ChannelCell, GroupCell } from "./cells.js";
import type { Look } from "./finders.js";
import { isVariable } from "./guardLooks.js";
import type { HotStore } from "./HotStore.js";
import type { LookIndex } from "./LookIndex.js";
import { looksOfPattern } from "./looks.js";
import type { MatchDatum } from "./Space.js";

/** The place of a candidate that is not stored: the datum of the present produce. */
const newDatumPlace = -1;

/** A datum that fits one bind. */
export class DatumCandidate {
  constructor(
    readonly cell: ChannelCell,
    readonly datum: Datum,
    readonly matched: ListParWithRandom,
    /** In the cell's array, or {@link newDatumPlace}. */
    readonly place: number,
  ) {}
}

/** Which data a COMM of the trace allows. @spec 30 §3.4 */
export interface DatumFilter {
  allows(datum: Datum): boolean;
  /** `sourceLook` of those that it may allow, each once. */
  readonly looks: readonly Look[];
}

/** A datum that is being produced: tried before all stored ones of its channel. */
export class NewDatum {
  /** PERF: what a bind of variables alone takes of it, as many receives wait with the same ones. */
  #ofVariables: { readonly matched: ListParWithRandom | undefined } | undefined;

  constructor(
    readonly cell: ChannelCell,
    readonly datum: Datum,
  ) {}

  /** The match of one bind with this datum. */
  matched(pattern: BindPattern, match: MatchDatum): ListParWithRandom | undefined {
    if (!isOfVariables(pattern, this.datum.a.pars.length)) return match(pattern, this.datum.a);
    return (this.#ofVariables ??= { matched: match(pattern, this.datum.a) }).matched;
  }
}

/** Whether a bind has one variable for each of `count` values, in their order, and nothing else. */
function isOfVariables({ patterns, remainder, freeCount }: BindPattern, count: number): boolean {
  if (patterns.length !== count || freeCount !== count || remainder !== undefined) return false;
  for (let level = 0; level < count; level += 1) {
    const pattern = patterns[level]!;
    if (!pattern.connectiveUsed || !isVariable(pattern, level)) return false;
  }
  return true;
}

/** The inputs of a search. One serves all operations of a space, as a search never begins inside another. */
export interface Search {
  hot: HotStore;
  readonly match: MatchDatum;
  /** Absent in play. */
  filter: DatumFilter | undefined;
  /** Absent in a consume. */
  produced: NewDatum | undefined;
}

/**
 * Finds data for every bind: for each in order the first datum that fits, never taking a choice back.
 *
 * A bind without a datum does not end the walk, so that a matcher that raises an error raises it here too.
 *
 * @spec 30 §1.4
 * @returns a candidate per bind, or `undefined`
 * @cost grows with the number of data on the channels
 */
export function findCandidates(
  search: Search,
  group: GroupCell,
  patterns: readonly BindPattern[],
): DatumCandidate[] | undefined {
  if (group.hasRepeatedChannel) return findInSharedPools(search, group, patterns, turnedRest);
  return findInSinglePools(search, group, patterns);
}

/** As {@link findCandidates}, where every channel occurs once. */
export function findInSinglePools(
  search: Search,
  group: GroupCell,
  patterns: readonly BindPattern[],
): DatumCandidate[] | undefined {
  const { cells } = group;
  const count = Math.min(cells.length, patterns.length);
  if (count === 1) {
    const candidate = findCandidate(search, cells[0]!, patterns[0]!);
    return candidate === undefined ? undefined : [candidate];
  }
  const candidates: DatumCandidate[] = [];
  for (let i = 0; i < count; i += 1) {
    const candidate = findCandidate(search, cells[i]!, patterns[i]!);
    if (candidate !== undefined) candidates.push(candidate);
  }
  return candidates.length === count ? candidates : undefined;
}

function findCandidate(search: Search, cell: ChannelCell, pattern: BindPattern): DatumCandidate | undefined {
  const { filter, match, produced } = search;
  const stored = search.hot.data(cell);
  if (produced !== undefined && produced.cell === cell && (filter === undefined || filter.allows(produced.datum))) {
    const matched = produced.matched(pattern, match);
    if (matched !== undefined) return new DatumCandidate(cell, produced.datum, matched, newDatumPlace);
  }
  const index = search.hot.dataIndex(cell);
  if (index !== undefined) {
    const tryAt = (place: number) => candidateAt(search, cell, pattern, place);
    if (filter !== undefined) return index.find(filter.looks, tryAt);
    return index.findFor(
      pattern,
      () => (search.hot.looks.showPatterns ? rarestLook(index, pattern) : undefined),
      tryAt,
    );
  }
  for (let place = stored.length - 1; place >= 0; place -= 1) {
    const candidate = candidateAt(search, cell, pattern, place);
    if (candidate !== undefined) return candidate;
  }
  return undefined;
}

/** One of the looks of a pattern, by which the fewest data are found. */
function rarestLook(index: LookIndex<Datum>, pattern: BindPattern): Look | undefined {
  const looks = looksOfPattern(pattern);
  return looks.length === 0 ? undefined : index.rarest(looks);
}

function candidateAt(
  search: Search,
  cell: ChannelCell,
  pattern: BindPattern,
  place: number,
): DatumCandidate | undefined {
  const datum = search.hot.data(cell)[place]!;
  if (search.filter !== undefined && !search.filter.allows(datum)) return undefined;
  const matched = search.match(pattern, datum.a);
  return matched === undefined ? undefined : new DatumCandidate(cell, datum, matched, place);
}

/** A datum of a pool and its place in the cell's array. */
export interface Pooled {
  readonly datum: Datum;
  readonly place: number;
}

/** Returns the rest of a pool for the following binds, once one has taken the item at a place. */
export type RestOfPool = <T>(pool: readonly T[], at: number, isPersistent: boolean) => readonly T[];

/** Quirk 30 §1.4: what was skipped comes back in reversed order, or not at all behind a persistent datum. */
function turnedRest<T>(pool: readonly T[], at: number, isPersistent: boolean): readonly T[] {
  return isPersistent ? pool.slice(at) : [...pool.slice(0, at).reverse(), ...pool.slice(at + 1)];
}

/** As above, for the rare group in which one channel occurs twice: its binds draw from one pool. */
export function findInSharedPools(
  search: Search,
  group: GroupCell,
  patterns: readonly BindPattern[],
  restOf: RestOfPool,
): DatumCandidate[] | undefined {
  const { cells } = group;
  const count = Math.min(cells.length, patterns.length);
  if (search.filter === undefined && lacksSome(search, cells, patterns.slice(0, count))) return undefined;
  const pools = new Map<ChannelCell, Pool>();
  const candidates: DatumCandidate[] = [];
  for (let i = 0; i < count; i += 1) {
    const cell = cells[i]!;
    let pool = pools.get(cell);
    if (pool === undefined) pools.set(cell, (pool = new Pool(pooled(search, cell), restOf)));
    const candidate = pool.take(({ datum, place }) => {
      const matched = search.match(patterns[i]!, datum.a);
      return matched === undefined ? undefined : new DatumCandidate(cell, datum, matched, place);
    });
    if (candidate !== undefined) candidates.push(candidate);
  }
  return candidates.length === count ? candidates : undefined;
}

/** PERF: where much lies, a bind that nothing fits is found without a walk through the pool. */
function lacksSome(search: Search, cells: readonly ChannelCell[], patterns: readonly BindPattern[]): boolean {
  return patterns.some((pattern, bind) => {
    const cell = cells[bind]!;
    return search.hot.dataIndex(cell) !== undefined && findCandidate(search, cell, pattern) === undefined;
  });
}

/** The data of a channel from which its binds take, read one after the other. */
class Pool {
  /** Those that were read and not taken. */
  #seen: readonly Pooled[] = [];

  readonly #others: Iterator<Pooled>;
  readonly #restOf: RestOfPool;

  constructor(others: Iterator<Pooled>, restOf: RestOfPool) {
    this.#others = others;
    this.#restOf = restOf;
  }

  /** Takes the first that fits. */
  take(fitting: (each: Pooled) => DatumCandidate | undefined): DatumCandidate | undefined {
    const seen = [...this.#seen];
    for (let at = 0; ; at += 1) {
      if (at === seen.length) {
        const next = this.#others.next();
        if (next.done === true) break;
        seen.push(next.value);
      }
      const candidate = fitting(seen[at]!);
      if (candidate === undefined) continue;
      this.#seen = this.#restOf(seen, at, candidate.datum.persist);
      return candidate;
    }
    this.#seen = seen;
    return undefined;
  }
}

/** In their order: the new one, then those that are stored, the newest first. */
function* pooled(search: Search, cell: ChannelCell): Generator<Pooled> {
  const { filter, produced, hot } = search;
  const allows = (datum: Datum) => filter === undefined || filter.allows(datum);
  if (produced !== undefined && produced.cell === cell && allows(produced.datum))
    yield { datum: produced.datum, place: newDatumPlace };
  const stored = hot.data(cell);
  const places = filter === undefined ? undefined : hot.dataIndex(cell)?.placesOf(filter.looks);
  const count = places?.length ?? stored.length;
  for (let at = 0; at < count; at += 1) {
    const place = places?.[at] ?? count - 1 - at;
    if (allows(stored[place]!)) yield { datum: stored[place]!, place };
  }
}

/**
 * Takes the matched data out of the store. The one that is being produced was never in it.
 *
 * @spec 30 §1.5, §1.6
 */
export function removeCandidates(candidates: readonly DatumCandidate[]): void {
  if (candidates.length === 1) {
    removeCandidate(candidates[0]!);
    return;
  }
  // From the end of the arrays, so that a removal does not move the ones to come.
  for (const candidate of candidates.slice().sort((left, right) => right.place - left.place)) {
    removeCandidate(candidate);
  }
}

/** Whether a candidate is the datum that is being produced. */
export function isNewDatum({ place }: DatumCandidate): boolean {
  return place === newDatumPlace;
}

function removeCandidate({ cell, datum, place }: DatumCandidate): void {
  if (place !== newDatumPlace && !datum.persist) cell.data.removeAt(place);
}
