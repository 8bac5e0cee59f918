import { compareBytes, concatBytes, toHex } from "@vedette/crypto";
import { type BitSet, EPathMap, type Par, uniteIndicesOf } from "@vedette/terms";
import type { Flags } from "../../evaluate/method/flags.js";
import { segmentsOf } from "./pathSegments.js";

const separator = Uint8Array.of(0xff);

/** The key of a path: each segment with the separator behind it. */
export function keyOf(segments: readonly Uint8Array[]): Uint8Array {
  return concatBytes(...segments.flatMap((segment) => [segment, separator]));
}

/** Whether a key lies at or below another. */
export function startsWith(key: Uint8Array, prefix: Uint8Array): boolean {
  if (key.length < prefix.length) return false;
  for (let i = 0; i < prefix.length; i += 1) if (key[i] !== prefix[i]) return false;
  return true;
}

/** An entry of a path map: the value at a key. */
export interface PathEntry {
  readonly key: Uint8Array;
  readonly value: Par;
}

/** Part of the entries of a map: from one place to before another. */
export interface PathRange {
  readonly start: number;
  readonly end: number;
}

/** Caches path maps that were read: the cost of a call does not grow with the map. */
const known = new WeakMap<EPathMap, PathMapModel>();

/**
 * A path map as its methods see it: values by keys, in the order of the keys.
 *
 * @spec 61 §6.4
 */
export class PathMapModel {
  readonly #map: EPathMap;
  readonly #children = new Map<string, readonly Uint8Array[]>();
  #locallyFree: BitSet | undefined;

  private constructor(
    map: EPathMap,
    /** In the order of the keys. */
    readonly entries: readonly PathEntry[],
  ) {
    this.#map = map;
    known.set(map, this);
  }

  /**
   * Returns the model of a path map; if several entries have one path, the last counts.
   *
   * @throws {Panic} for an element that is no path
   * @cost the result is cached
   */
  static of(map: EPathMap): PathMapModel {
    return known.get(map) ?? new PathMapModel(map, entriesOf(map.ps));
  }

  /** A map of entries in the order of their keys, each with the key of its value. */
  static mapOf(entries: readonly PathEntry[], flags: Flags): EPathMap {
    const map = pathMapOf(entries, flags);
    new PathMapModel(map, entries);
    return map;
  }

  /** Notes of a map that it has the elements of another and more behind them. */
  static noteLonger(map: EPathMap, shorter: EPathMap, added: readonly Par[]): void {
    const model = known.get(shorter);
    if (model === undefined || !added.every(isPath)) return;
    new PathMapModel(
      map,
      withEntries(model, entriesOf(added), (_, later) => later),
    );
  }

  get connectiveUsed(): boolean {
    return this.#map.remainder !== undefined || this.#map.ps.some((par) => par.connectiveUsed);
  }

  get locallyFree(): BitSet {
    return (this.#locallyFree ??= uniteIndicesOf(this.#map.ps));
  }

  get(key: Uint8Array): Par | undefined {
    const entry = this.entries[this.placeOf(key)];
    return entry !== undefined && compareBytes(entry.key, key) === 0 ? entry.value : undefined;
  }

  /** Returns the first index with a key that does not come before one. */
  placeOf(key: Uint8Array): number {
    return firstPlace(this.entries, (other) => compareBytes(other, key) >= 0);
  }

  /** Returns the range of the entries at or below a path. */
  rangeOf(prefix: Uint8Array): PathRange {
    const start = this.placeOf(prefix);
    const isBeyond = (key: Uint8Array) => compareBytes(key, prefix) > 0 && !startsWith(key, prefix);
    return { start, end: firstPlace(this.entries, isBeyond) };
  }

  /** The entries at or below a path. */
  below(prefix: Uint8Array): readonly PathEntry[] {
    const { start, end } = this.rangeOf(prefix);
    return this.entries.slice(start, end);
  }

  /** The entries with others in the place of those at or below a path. */
  beside(prefix: Uint8Array, instead: readonly PathEntry[] = []): readonly PathEntry[] {
    const { start, end } = this.rangeOf(prefix);
    return [...this.entries.slice(0, start), ...instead, ...this.entries.slice(end)];
  }

  /** The segments right below a path, each once, in order. Quirk 61 §6.4: a segment ends at its first byte 255. */
  childrenOf(prefix: Uint8Array): readonly Uint8Array[] {
    const name = toHex(prefix);
    let children = this.#children.get(name);
    if (children === undefined) {
      children = childrenIn(this.below(prefix), prefix.length);
      this.#children.set(name, children);
    }
    return children;
  }
}

/**
 * The entries of a map and others.
 *
 * @param ofBoth which one stays where both have a key
 */
export function withEntries(
  model: PathMapModel,
  others: readonly PathEntry[],
  ofBoth: (one: PathEntry, other: PathEntry) => PathEntry,
): readonly PathEntry[] {
  const all: PathEntry[] = [];
  let from = 0;
  for (const other of others) {
    const at = model.placeOf(other.key);
    for (; from < at; from += 1) all.push(model.entries[from]!);
    const there = model.entries[at];
    const isThere = there !== undefined && compareBytes(there.key, other.key) === 0;
    all.push(isThere ? ofBoth(there, other) : other);
    if (isThere) from += 1;
  }
  for (; from < model.entries.length; from += 1) all.push(model.entries[from]!);
  return all;
}

/** Without keys that others have. */
export function withoutEntries(model: PathMapModel, others: readonly PathEntry[]): readonly PathEntry[] {
  const left: PathEntry[] = [];
  let from = 0;
  for (const { key } of others) {
    const at = model.placeOf(key);
    for (; from < at; from += 1) left.push(model.entries[from]!);
    const there = model.entries[at];
    if (there !== undefined && compareBytes(there.key, key) === 0) from += 1;
  }
  for (; from < model.entries.length; from += 1) left.push(model.entries[from]!);
  return left;
}

function isPath(par: Par): boolean {
  try {
    segmentsOf(par);
    return true;
  } catch {
    return false;
  }
}

function entriesOf(ps: readonly Par[]): readonly PathEntry[] {
  const byKey = new Map<string, PathEntry>();
  for (const value of ps) {
    const key = keyOf(segmentsOf(value));
    byKey.set(toHex(key), { key, value });
  }
  return [...byKey.values()].sort((left, right) => compareBytes(left.key, right.key));
}

function childrenIn(entries: readonly PathEntry[], from: number): readonly Uint8Array[] {
  const found = new Map<string, Uint8Array>();
  for (const { key } of entries) {
    const rest = key.subarray(from);
    const end = rest.indexOf(0xff);
    if (end >= 0) found.set(toHex(rest.subarray(0, end)), rest.slice(0, end));
  }
  return [...found.values()].sort(compareBytes);
}

/** @param isAt false for keys before a place, true from there on */
function firstPlace(entries: readonly PathEntry[], isAt: (key: Uint8Array) => boolean): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isAt(entries[middle]!.key)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A path map of entries in the order of their keys. */
export function pathMapOf(entries: readonly PathEntry[], { locallyFree, connectiveUsed }: Flags): EPathMap {
  const values = entries.map(({ value }) => value);
  return new EPathMap(values, locallyFree, connectiveUsed, undefined);
}
