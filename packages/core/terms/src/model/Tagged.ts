import type { Par } from "./Par.js";
import type { Var } from "./Var.js";

/** A process and the random generator state it runs with. @spec 20 §5, 21 §3.6 */
export class ParWithRandom {
  constructor(
    readonly body: Par,
    readonly randomState: Uint8Array,
  ) {}
}

/** The data of one send and its random generator state: a datum's content. @spec 20 §5, 21 §3.6 */
export class ListParWithRandom {
  cachedEncoding: Uint8Array | undefined = undefined;
  constructor(
    readonly pars: readonly Par[],
    readonly randomState: Uint8Array,
  ) {}
}

/** The patterns of one bind as the tuple space keeps them. @spec 20 §5 (message BindPattern) */
export class BindPattern {
  cachedEncoding: Uint8Array | undefined = undefined;
  constructor(
    readonly patterns: readonly Par[],
    readonly remainder: Var | undefined,
    readonly freeCount: number,
  ) {}
}

/** The continuation that runs when a receive fires. @spec 20 §5 (message TaggedContinuation), 30 §2.4 */
export type TaggedContinuation = ParContinuation | SystemContinuation | EmptyContinuation;

/** A process of a program. */
export class ParContinuation {
  readonly kind = "ParContinuation";
  cachedEncoding: Uint8Array | undefined = undefined;
  constructor(
    readonly value: ParWithRandom,
    /** The receive's guard, on f1r3node networks: here and in the others. */
    readonly guard: Par | undefined = undefined,
  ) {}
}

/** A built-in process, by its number (wire field `scala_body_ref`). */
export class SystemContinuation {
  readonly kind = "SystemContinuation";
  cachedEncoding: Uint8Array | undefined = undefined;
  constructor(
    readonly bodyRef: bigint,
    readonly guard: Par | undefined = undefined,
  ) {}
}

/** Nothing runs: the result of a system deploy is fetched with it. */
export class EmptyContinuation {
  readonly kind = "EmptyContinuation";
  cachedEncoding: Uint8Array | undefined = undefined;
  constructor(readonly guard: Par | undefined = undefined) {}
}

/** The one empty continuation. */
export const emptyContinuation = new EmptyContinuation();
