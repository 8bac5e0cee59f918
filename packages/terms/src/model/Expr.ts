import type { BitSet } from "./BitSet.js";
import type { EMap, ESet } from "./Collection.js";
import type { Par } from "./Par.js";
import type { Var } from "./Var.js";

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

/** A text, in UTF-16 as in the reference. */
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

/** An Expr whose oneof is unset; only bytes from outside can hold it. */
export class EmptyExpr {
  readonly kind = "EmptyExpr";
}

/** The one empty expression. */
export const emptyExpr = new EmptyExpr();
