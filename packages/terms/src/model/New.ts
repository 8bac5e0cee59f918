import type { BitSet } from "./BitSet.js";
import type { Par } from "./Par.js";

/** `new x, y(`uri`) in { p }`. @spec 20 §5 (message New) */
export class New {
  cachedSize = -1;
  constructor(
    /** Simple names first, then one binding for each of `uri`. */
    readonly bindCount: number,
    readonly p: Par,
    readonly uri: readonly string[],
    /** URN → value, in insertion order. */
    readonly injections: ReadonlyMap<string, Par>,
    readonly locallyFree: BitSet,
  ) {}
}

/** What nearly every `new` has. */
export const noInjections: ReadonlyMap<string, Par> = new Map();
