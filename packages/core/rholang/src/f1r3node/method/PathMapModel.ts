import { compareBytes, concatBytes, fromHex, toHex } from "@vedette/crypto";
import { type BitSet, EPathMap, type Par, uniteIndicesOf } from "@vedette/terms";
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

/** An entry of a path map: what stands at a key. */
export interface PathEntry {
  readonly key: Uint8Array;
  readonly value: Par;
}

/**
 * A path map as its methods see it: values by keys, in the order of the keys.
 *
 * @spec 61 §6.4
 */
export class PathMapModel {
  private readonly byKey = new Map<string, Par>();

  private constructor(
    readonly connectiveUsed: boolean,
    readonly locallyFree: BitSet,
  ) {}

  /** Of entries with one path the last counts. @throws {Panic} for an element that is no path */
  static of(map: EPathMap): PathMapModel {
    const used = map.remainder !== undefined || map.ps.some((par) => par.connectiveUsed);
    const model = new PathMapModel(used, uniteIndicesOf(map.ps));
    for (const par of map.ps) model.set(keyOf(segmentsOf(par)), par);
    return model;
  }

  get(key: Uint8Array): Par | undefined {
    return this.byKey.get(toHex(key));
  }

  set(key: Uint8Array, value: Par): void {
    this.byKey.set(toHex(key), value);
  }

  /** Without the entries that are not wanted. */
  filter(isKept: (key: Uint8Array) => boolean): PathEntry[] {
    return this.entries().filter(({ key }) => isKept(key));
  }

  /** In the order of the keys. */
  entries(): PathEntry[] {
    return [...this.byKey]
      .map(([key, value]) => ({ key: fromHex(key), value }))
      .sort((left, right) => compareBytes(left.key, right.key));
  }
}

/** A path map of entries in the order of their keys. */
export function pathMapOf(
  entries: readonly PathEntry[],
  { locallyFree, connectiveUsed }: { readonly locallyFree: BitSet; readonly connectiveUsed: boolean },
): EPathMap {
  const values = entries.map(({ value }) => value);
  return new EPathMap(values, locallyFree, connectiveUsed, undefined);
}
