import type { BitSet } from "./BitSet.js";
import type { Par } from "./Par.js";
import type { Var } from "./Var.js";

/** `for (binds) { body }`, `contract` (persistent), `<<-` (peek). @spec 20 §5 (message Receive) */
export class Receive {
  cachedSize = -1;
  constructor(
    readonly binds: readonly ReceiveBind[],
    readonly body: Par,
    readonly persistent: boolean,
    readonly peek: boolean,
    /** Number of variables that all binds together bind. */
    readonly bindCount: number,
    readonly locallyFree: BitSet,
    readonly connectiveUsed: boolean,
  ) {}
}

/** `patterns ...remainder <- source`. @spec 20 §5 (message ReceiveBind) */
export class ReceiveBind {
  cachedSize = -1;
  constructor(
    readonly patterns: readonly Par[],
    readonly source: Par,
    readonly remainder: Var | undefined,
    readonly freeCount: number,
  ) {}
}
