import { type BitSet, emptyBitSet } from "./BitSet.js";
import type { GBigInt, GBigRational, GDouble, GFixedPoint } from "./numbers.js";
import type { Unforgeable } from "./Unforgeable.js";
import type { Var } from "./Var.js";

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
  readonly conditionals?: readonly If[];
  readonly locallyFree?: BitSet;
  readonly connectiveUsed?: boolean;
}

/** The empty list, shared. */
export const none: readonly never[] = [];

/**
 * Bit of `Par.cachedFacts`: it was written as a part of another term, so that the next time its encoding is worth
 * keeping.
 */
export const wasWritten = 1 << 15;

/**
 * A process: parallel terms, each kind in a list of its own. Immutable; the process Nil has every list empty.
 *
 * The fields below the line are caches, filled by `wire/`, `order/` and `identity/` at the first use and never read
 * elsewhere. They are declared here so that every Par has one hidden class.
 *
 * Conditionals, and other parts marked as f1r3node's, are not written, read or made by any other dialect. The caches
 * are of one dialect: that of the program which made the term.
 *
 * @spec 20 §5 (message Par), §14.2
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
  /** On f1r3node networks. */
  readonly conditionals: readonly If[];

  /** Serialized size in bytes; -1 until known. */
  cachedSize = -1;
  cachedEncoding: Uint8Array | undefined = undefined;
  cachedHash: Uint8Array | undefined = undefined;
  /** The canonically sorted form of this Par: itself when it is known to be sorted. */
  cachedSorted: Par | undefined = undefined;
  /** On f1r3node networks: what a substitution makes of it that has no value for any of its variables. */
  cachedSubstituted: Par | undefined = undefined;
  /** Bits: {@link wasWritten}, and room for the evaluator's own derived facts about this term (rholang/match/parFacts). */
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
    conditionals: readonly If[] = none,
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
    this.conditionals = conditionals;
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
      fields.conditionals ?? none,
    );
  }
}

/** The process that does nothing. */
export const nil = Par.of({});

/**
 * Represents a term that the bytes do not have: f1r3node networks distinguish it from one that is empty.
 *
 * @spec 61 §2
 */
export const absentPar = Par.of({});

/** Whether all lists are empty (flags aside). */
export function isNil(par: Par): boolean {
  return (
    par.sends.length === 0 &&
    par.receives.length === 0 &&
    par.news.length === 0 &&
    par.exprs.length === 0 &&
    par.matches.length === 0 &&
    par.unforgeables.length === 0 &&
    par.bundles.length === 0 &&
    par.connectives.length === 0 &&
    par.conditionals.length === 0
  );
}

/** Values and expressions. @spec 20 §5 (message Expr) */
export type Expr =
  | GBool
  | GInt
  | GString
  | GUri
  | GByteArray
  | EVar
  | EUnary
  | EBinary
  | EMatches
  | EList
  | ETuple
  | ESet
  | EMap
  | EMethod
  | EPathMap
  | EZipper
  | GDouble
  | GBigInt
  | GBigRational
  | GFixedPoint
  | EmptyExpr;

/** `true` or `false`. */
export class GBool {
  readonly kind = "GBool";
  constructor(readonly value: boolean) {}
}

/** A signed 64-bit integer. */
export class GInt {
  readonly kind = "GInt";
  constructor(readonly value: bigint) {}
}

/** A text, in UTF-16 as in rnode. */
export class GString {
  readonly kind = "GString";
  constructor(readonly value: string) {}
}

/** A URI between backticks. */
export class GUri {
  readonly kind = "GUri";
  constructor(readonly value: string) {}
}

/** Bytes; no literal makes them. */
export class GByteArray {
  readonly kind = "GByteArray";
  constructor(readonly value: Uint8Array) {}
}

/** A variable, or `_`. */
export class EVar {
  readonly kind = "EVar";
  constructor(readonly v: Var) {}
}

/** Named as the wire's messages. */
export type UnaryOperator = "ENot" | "ENeg";

/** `not p`, `-p`. */
export class EUnary {
  readonly kind = "EUnary";
  cachedSize = -1;
  constructor(
    readonly operator: UnaryOperator,
    readonly p: Par,
  ) {}
}

/** Named as the wire's messages; EMatches is a class of its own, since its right side is a pattern. */
export type BinaryOperator =
  | "EMult"
  | "EDiv"
  | "EMod"
  | "EPlus"
  | "EMinus"
  | "ELt"
  | "ELte"
  | "EGt"
  | "EGte"
  | "EEq"
  | "ENeq"
  | "EAnd"
  | "EOr"
  | "EPercentPercent"
  | "EPlusPlus"
  | "EMinusMinus";

/** An operator between two operands. */
export class EBinary {
  readonly kind = "EBinary";
  cachedSize = -1;
  constructor(
    readonly operator: BinaryOperator,
    readonly p1: Par,
    readonly p2: Par,
  ) {}
}

/** `target matches pattern`. */
export class EMatches {
  readonly kind = "EMatches";
  cachedSize = -1;
  constructor(
    readonly target: Par,
    readonly pattern: Par,
  ) {}
}

/** `[…]`. */
export class EList {
  readonly kind = "EList";
  cachedSize = -1;
  constructor(
    readonly ps: readonly Par[],
    readonly locallyFree: BitSet,
    readonly connectiveUsed: boolean,
    readonly remainder: Var | undefined,
  ) {}
}

/** `(…,)`. */
export class ETuple {
  readonly kind = "ETuple";
  cachedSize = -1;
  constructor(
    readonly ps: readonly Par[],
    readonly locallyFree: BitSet,
    readonly connectiveUsed: boolean,
  ) {}
}

/** `target.methodName(args)`. */
export class EMethod {
  readonly kind = "EMethod";
  cachedSize = -1;
  constructor(
    readonly methodName: string,
    readonly target: Par,
    readonly args: readonly Par[],
    readonly locallyFree: BitSet,
    readonly connectiveUsed: boolean,
  ) {}
}

/** An Expr with an unset oneof; only bytes from outside can hold it. */
export class EmptyExpr {
  readonly kind = "EmptyExpr";
}

/** The one empty expression. */
export const emptyExpr = new EmptyExpr();

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

/** `{| … |}`, on f1r3node networks: a collection of paths. @spec 20 §14.2 (message EPathMap) */
export class EPathMap {
  readonly kind = "EPathMap";
  cachedSize = -1;
  constructor(
    readonly ps: readonly Par[],
    readonly locallyFree: BitSet,
    readonly connectiveUsed: boolean,
    readonly remainder: Var | undefined,
  ) {}
}

/** A place within a path map, on f1r3node networks; no text makes it. @spec 20 §14.2 (message EZipper) */
export class EZipper {
  readonly kind = "EZipper";
  cachedSize = -1;
  constructor(
    readonly pathMap: EPathMap | undefined,
    readonly currentPath: readonly Uint8Array[],
    readonly isWriteZipper: boolean,
    readonly locallyFree: BitSet,
    readonly connectiveUsed: boolean,
  ) {}
}

/** Logical connectives of patterns. @spec 20 §5 (message Connective) */
export type Connective = ConnectiveAnd | ConnectiveOr | ConnectiveNot | VarRef | ConnectiveType | EmptyConnective;

/** `P /\ Q`: all of them match. */
export class ConnectiveAnd {
  readonly kind = "ConnectiveAnd";
  constructor(readonly ps: readonly Par[]) {}
}

/** `P \/ Q`: one of them matches. */
export class ConnectiveOr {
  readonly kind = "ConnectiveOr";
  constructor(readonly ps: readonly Par[]) {}
}

/** `~P`: it does not match. */
export class ConnectiveNot {
  readonly kind = "ConnectiveNot";
  constructor(readonly body: Par) {}
}

/** `=x`: the value of a variable bound outside, `depth` patterns further out. */
export class VarRef {
  readonly kind = "VarRef";
  constructor(
    readonly index: number,
    readonly depth: number,
  ) {}
}

/** The simple types. */
export type ConnectiveTypeName = "Bool" | "Int" | "String" | "Uri" | "ByteArray";

/** A simple type; `value` is the wire's flag, true in every compiled program. */
export class ConnectiveType {
  readonly kind = "ConnectiveType";
  constructor(
    readonly typeName: ConnectiveTypeName,
    readonly value: boolean,
  ) {}
}

/** A Connective with an unset oneof; only bytes from outside can hold it. */
export class EmptyConnective {
  readonly kind = "EmptyConnective";
}

/** The one empty connective. */
export const emptyConnective = new EmptyConnective();

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
    /** The guard, on f1r3node networks. */
    readonly condition: Par | undefined = undefined,
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
    /** On f1r3node networks. */
    readonly guard: Par | undefined = undefined,
  ) {}
}

/** `if (condition) ifTrue else ifFalse`, on f1r3node networks; elsewhere it is a match. @spec 20 §14.2 */
export class If {
  cachedSize = -1;
  constructor(
    readonly condition: Par,
    readonly ifTrue: Par,
    readonly ifFalse: Par,
    readonly locallyFree: BitSet,
    readonly connectiveUsed: boolean,
  ) {}
}

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

/** The injections of nearly every `new`. */
export const noInjections: ReadonlyMap<string, Par> = new Map();

/** `bundle+ { body }` and its kin: what may be done with the name of `body`. @spec 20 §5 (message Bundle) */
export class Bundle {
  cachedSize = -1;
  constructor(
    readonly body: Par,
    readonly writeFlag: boolean,
    readonly readFlag: boolean,
  ) {}
}
