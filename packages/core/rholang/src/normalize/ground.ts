import {
  type Expr,
  emptyBitSet,
  GBool,
  GInt,
  GString,
  GUri,
  nil,
  type Par,
  type ParBuilder,
  parOfExpr,
} from "@vedette/terms";
import { wordedError } from "../InterpreterError.js";
import type { Process } from "../syntax/ast.js";

type GroundProcess = Extract<Process, { kind: "Bool" | "Int" | "String" | "Uri" }>;

const largest = 2n ** 63n - 1n;
const trueExpr = new GBool(true);
const falseExpr = new GBool(false);

/** A literal. @spec 20 §7.3 */
export function normalizeGround(process: GroundProcess, into: ParBuilder): void {
  into.addExpr(groundExpr(process), emptyBitSet, false);
}

/** The process that is one literal, or Nil; `undefined` if `process` is neither. @spec 20 §7.1, §7.3 */
export function groundPar(process: Process): Par | undefined {
  switch (process.kind) {
    case "Nil":
      return nil;
    case "Bool":
    case "Int":
    case "String":
    case "Uri":
      return parOfExpr(groundExpr(process));
    default:
      return undefined;
  }
}

function groundExpr(process: GroundProcess): Expr {
  switch (process.kind) {
    case "Bool":
      return process.value ? trueExpr : falseExpr;
    case "Int":
      return new GInt(integerValue(process.digits));
    case "String":
      return new GString(process.value);
    case "Uri":
      return new GUri(process.value);
  }
}

/** @spec 20 §2.5 */
function integerValue(digits: string): bigint {
  if (digits.length <= 15) return BigInt(Number(digits));
  // Leading zeros are allowed in any number; what is longer than the largest value is not worth converting.
  const significant = digits.replace(/^0+/, "");
  const value = significant.length <= 19 ? BigInt(significant) : largest + 1n;
  if (value > largest) throw wordedError("NormalizerError", `For input string: "${digits}"`);
  return value;
}
