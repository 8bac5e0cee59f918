import type { BitSet } from "./BitSet.js";
import type { Par } from "./Par.js";
import type { Var } from "./Var.js";

/**
 * A set. `ps` is duplicate-free and in canonical order; make one with `makeSet` (order/), which sees to that.
 *
 * @spec 20 §5, §9.6
 */
export class ESet {
  readonly kind = "ESet";
  cachedSize = -1;
  constructor(
    readonly ps: readonly Par[],
    readonly locallyFree: BitSet,
    readonly connectiveUsed: boolean,
    readonly remainder: Var | undefined,
  ) {}
}

/** One entry of a map. @spec 20 §5 (message KeyValuePair) */
export interface KeyValuePair {
  readonly key: Par;
  readonly value: Par;
}

/**
 * A map. `kvs` has distinct keys in canonical order; make one with `makeMap` (order/), which sees to that.
 *
 * @spec 20 §5, §9.6
 */
export class EMap {
  readonly kind = "EMap";
  cachedSize = -1;
  constructor(
    readonly kvs: readonly KeyValuePair[],
    readonly locallyFree: BitSet,
    readonly connectiveUsed: boolean,
    readonly remainder: Var | undefined,
  ) {}
}
