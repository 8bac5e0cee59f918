import type { Par } from "./Par.js";

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

/** A Connective whose oneof is unset; only bytes from outside can hold it. */
export class EmptyConnective {
  readonly kind = "EmptyConnective";
}

/** The one empty connective. */
export const emptyConnective = new EmptyConnective();
