import type { BitSet } from "./BitSet.js";
import type { Par } from "./Par.js";

/** `match target { cases }`; `if` and `let` become one too. @spec 20 §5 (message Match) */
export class Match {
  cachedSize = -1;
  constructor(
    readonly target: Par,
    readonly cases: readonly MatchCase[],
    readonly locallyFree: BitSet,
    readonly connectiveUsed: boolean,
  ) {}
}

/** `pattern => source`. @spec 20 §5 (message MatchCase) */
export class MatchCase {
  cachedSize = -1;
  constructor(
    readonly pattern: Par,
    readonly source: Par,
    readonly freeCount: number,
  ) {}
}
