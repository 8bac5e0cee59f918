import type { Par } from "@vedette/terms";
import { ElementPlaces, placeFrom } from "../../match/ElementPlaces.js";
import { RemainderChain } from "../../match/RemainderChain.js";
import type { F1r3nodeKind } from "./F1r3nodeMatching.js";

/** Values of variables by their level. */
export type LevelValues = Map<number, Par>;

/** The elements of a list and what they are to be matched with. */
export interface SlotSearch<T> {
  readonly kind: F1r3nodeKind<T>;
  readonly targets: readonly T[];
  readonly patterns: readonly T[];
  /** Number of places of the remainder, which come before the patterns. */
  readonly remainders: number;
}

/** The result of the search. */
export interface SlotsFound<T> {
  /** Targets in the places of the remainder. */
  readonly left: ReadonlySet<T>;
  /** To be taken over one after the other. */
  readonly captures: readonly LevelValues[];
}

/** A place, and from which target on it looks for one. */
interface SlotPlace<T> {
  readonly pattern: T | undefined;
  readonly from: number;
}

interface SlotClaim<T> {
  readonly place: SlotPlace<T>;
  readonly captures: LevelValues;
}

/** Returns what is captured when a target is in a place; `undefined` where it does not fit. */
type Test<T> = (target: T, pattern: T | undefined) => LevelValues | undefined;

/**
 * Looks for a target for each place: a place that comes later displaces an earlier one if that finds another target
 * behind its own.
 *
 * @spec 22 §1.8
 * @cost every place may look at every target, and displace as many as there are; no native stack
 */
export function matchSlots<T>(search: SlotSearch<T>, test: Test<T>): SlotsFound<T> | undefined {
  const { targets, patterns } = search;
  const claims = remaindersSeated(search, test);
  if (claims === undefined) return undefined;
  const { kind, remainders } = search;
  const places = ElementPlaces.of(kind, targets, patterns);
  const chain = patterns.every(kind.isConcrete) ? RemainderChain.of(targets, remainders, kind.isClosed) : undefined;
  for (const at of claims.keys()) chain?.note(at, true);
  const seating: Seating<T> = { search, claims, places, test, chain, seen: new Uint8Array(targets.length) };
  for (const pattern of patterns) if (!placed({ pattern, from: 0 }, seating)) return;
  const left = new Set<T>();
  for (const [at, { place }] of claims) if (place.pattern === undefined) left.add(targets[at]!);
  return { left, captures: inOrder(claims, search) };
}

/**
 * The places of the remainder as one after the other takes them: each displaces all before it, so that in the end they
 * have the first targets that they can have. What is captured is the same for all, as nothing was tried before.
 *
 * @returns `undefined` where there are more places than targets for them
 */
function remaindersSeated<T>(search: SlotSearch<T>, test: Test<T>): Map<number, SlotClaim<T>> | undefined {
  const { kind, targets, remainders } = search;
  const claims = new Map<number, SlotClaim<T>>();
  let captures: LevelValues | undefined;
  for (let at = 0; at < targets.length && claims.size < remainders; at += 1) {
    if (!kind.isClosed(targets[at]!)) continue;
    captures ??= test(targets[at]!, undefined)!;
    claims.set(at, { place: { pattern: undefined, from: at }, captures });
  }
  return claims.size < remainders ? undefined : claims;
}

/** The constant inputs while one place after the other finds its target. */
interface Seating<T> {
  readonly search: SlotSearch<T>;
  readonly claims: Map<number, SlotClaim<T>>;
  readonly places: ElementPlaces<T> | undefined;
  readonly test: Test<T>;
  /** Only where no test leaves anything behind that a later one could see. */
  readonly chain: RemainderChain | undefined;
  /** 1 for a target that was tried for the present place; cleared for each. */
  readonly seen: Uint8Array;
}

/** Finds a target for a place, if need be by displacing others. */
function placed<T>(first: SlotPlace<T>, seating: Seating<T>): boolean {
  const { claims, chain } = seating;
  const { seen } = seating;
  seen.fill(0);
  /** Claims that wait for whether those before them find another target. */
  const waiting: { readonly at: number; readonly claim: SlotClaim<T> }[] = [];
  let place = first;
  for (;;) {
    const found = nextTarget(place, seen, seating);
    if (found === undefined) {
      const last = waiting.pop();
      if (last === undefined) return false;
      place = last.claim.place;
      continue;
    }
    seen[found.at] = 1;
    waiting.push(found);
    const displaced = claims.get(found.at);
    if (displaced !== undefined) {
      place = displaced.place;
      if (chain !== undefined && place.pattern === undefined)
        place = { pattern: undefined, from: chain.next(found.at + 1, (start, end) => seen.fill(1, start, end)) };
      continue;
    }
    // The last one finds a free target, so that each of those before it can have the one it waits for.
    for (const { at, claim } of waiting.reverse()) {
      claims.set(at, claim);
      chain?.note(at, claim.place.pattern === undefined);
    }
    return true;
  }
}

function nextTarget<T>(
  { pattern, from }: SlotPlace<T>,
  seen: Uint8Array,
  { search: { targets }, places, test }: Seating<T>,
): { readonly at: number; readonly claim: SlotClaim<T> } | undefined {
  const possible = pattern === undefined ? undefined : places?.for(pattern);
  for (let at = placeFrom(possible, from); at < targets.length; at = placeFrom(possible, at + 1)) {
    if (seen[at] === 1) continue;
    const captures = test(targets[at]!, pattern);
    if (captures !== undefined) return { at, claim: { place: { pattern, from: at }, captures } };
  }
  return undefined;
}

/**
 * Quirk 61 §6: captures are taken over in the order of the targets by their fields. The order is visible only where
 * tests read captures of earlier failed tests.
 */
function inOrder<T>(
  claims: ReadonlyMap<number, SlotClaim<T>>,
  { kind, targets }: SlotSearch<T>,
): readonly LevelValues[] {
  const all = [...claims];
  if (!disagree(all.map(([, { captures }]) => captures))) return all.map(([, { captures }]) => captures);
  return all
    .sort(([left], [right]) => kind.compare(targets[left]!, targets[right]!) || left - right)
    .map(([, { captures }]) => captures);
}

function disagree(all: readonly LevelValues[]): boolean {
  const known = new Map<number, Par>();
  for (const captures of all)
    for (const [level, value] of captures) {
      const other = known.get(level);
      if (other !== undefined && other !== value) return true;
      known.set(level, value);
    }
  return false;
}
