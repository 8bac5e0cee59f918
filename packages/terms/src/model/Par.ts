import { type BitSet, emptyBitSet } from "./BitSet.js";
import type { Bundle } from "./Bundle.js";
import type { Connective } from "./Connective.js";
import type { Expr } from "./Expr.js";
import type { Match } from "./Match.js";
import type { New } from "./New.js";
import type { Receive } from "./Receive.js";
import type { Send } from "./Send.js";
import type { Unforgeable } from "./Unforgeable.js";

/** The lists and flags of a {@link Par}; what is left out is empty. */
export interface ParFields {
  readonly sends?: readonly Send[];
  readonly receives?: readonly Receive[];
  readonly news?: readonly New[];
  readonly exprs?: readonly Expr[];
  readonly matches?: readonly Match[];
  readonly unforgeables?: readonly Unforgeable[];
  readonly bundles?: readonly Bundle[];
  readonly connectives?: readonly Connective[];
  readonly locallyFree?: BitSet;
  readonly connectiveUsed?: boolean;
}

/** The empty list, shared. */
export const none: readonly never[] = [];

/**
 * A process: parallel terms, each kind in a list of its own. Immutable; the process Nil has every list empty.
 *
 * The fields below the line are caches, filled by `wire/`, `order/` and `identity/` when first asked for and
 * never read elsewhere. They are declared here so that every Par has one hidden class.
 *
 * @spec 20 §5 (message Par)
 */
export class Par {
  readonly sends: readonly Send[];
  readonly receives: readonly Receive[];
  readonly news: readonly New[];
  readonly exprs: readonly Expr[];
  readonly matches: readonly Match[];
  readonly unforgeables: readonly Unforgeable[];
  readonly bundles: readonly Bundle[];
  readonly connectives: readonly Connective[];
  readonly locallyFree: BitSet;
  readonly connectiveUsed: boolean;

  /** Serialized size in bytes; -1 until known. */
  cachedSize = -1;
  cachedEncoding: Uint8Array | undefined = undefined;
  cachedHash: Uint8Array | undefined = undefined;
  /** The canonically sorted form of this Par: itself when it is known to be sorted. */
  cachedSorted: Par | undefined = undefined;
  /** Whether it was written as a part of another term: the next time its encoding is worth keeping. */
  wasWritten = false;
  /** Room for the evaluator's own derived facts about this term (rholang/evaluate). */
  cachedFacts = 0;

  constructor(
    sends: readonly Send[],
    receives: readonly Receive[],
    news: readonly New[],
    exprs: readonly Expr[],
    matches: readonly Match[],
    unforgeables: readonly Unforgeable[],
    bundles: readonly Bundle[],
    connectives: readonly Connective[],
    locallyFree: BitSet,
    connectiveUsed: boolean,
  ) {
    this.sends = sends;
    this.receives = receives;
    this.news = news;
    this.exprs = exprs;
    this.matches = matches;
    this.unforgeables = unforgeables;
    this.bundles = bundles;
    this.connectives = connectives;
    this.locallyFree = locallyFree;
    this.connectiveUsed = connectiveUsed;
  }

  static of(fields: ParFields): Par {
    return new Par(
      fields.sends ?? none,
      fields.receives ?? none,
      fields.news ?? none,
      fields.exprs ?? none,
      fields.matches ?? none,
      fields.unforgeables ?? none,
      fields.bundles ?? none,
      fields.connectives ?? none,
      fields.locallyFree ?? emptyBitSet,
      fields.connectiveUsed ?? false,
    );
  }
}

/** The process that does nothing. */
export const nil = Par.of({});

/** Whether all eight lists are empty (flags aside). */
export function isNil(par: Par): boolean {
  return (
    par.sends.length === 0 &&
    par.receives.length === 0 &&
    par.news.length === 0 &&
    par.exprs.length === 0 &&
    par.matches.length === 0 &&
    par.unforgeables.length === 0 &&
    par.bundles.length === 0 &&
    par.connectives.length === 0
  );
}
