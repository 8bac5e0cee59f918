import type { BitSet } from "./BitSet.js";
import type { Par } from "./Par.js";

/** `chan!(data…)`, persistent `chan!!(data…)`. @spec 20 §5 (message Send) */
export class Send {
  cachedSize = -1;
  constructor(
    readonly chan: Par,
    readonly data: readonly Par[],
    readonly persistent: boolean,
    readonly locallyFree: BitSet,
    readonly connectiveUsed: boolean,
  ) {}
}
