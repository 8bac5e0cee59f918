import { type Expr, equalPar, GBool, type Par, sizeOfPar } from "@vedette/terms";
import { reduceError } from "../../InterpreterError.js";
import { substituteAndCharge } from "../substitute/substitute.js";
import { describeExpr } from "./describeExpr.js";
import type { Evaluator } from "./Evaluator.js";
import { comparisonCost } from "./expressionCosts.js";

/** `left < right`. @spec 21 §5.3 */
export function less(evaluator: Evaluator, left: Par, right: Par): GBool {
  return new GBool(compare(evaluator, left, right) < 0);
}

/** `left <= right`. @spec 21 §5.3 */
export function lessOrEqual(evaluator: Evaluator, left: Par, right: Par): GBool {
  return new GBool(compare(evaluator, left, right) <= 0);
}

/** `left > right`. @spec 21 §5.3 */
export function greater(evaluator: Evaluator, left: Par, right: Par): GBool {
  return new GBool(compare(evaluator, left, right) > 0);
}

/** `left >= right`. @spec 21 §5.3 */
export function greaterOrEqual(evaluator: Evaluator, left: Par, right: Par): GBool {
  return new GBool(compare(evaluator, left, right) >= 0);
}

/** `left == right`. @spec 21 §5.3 */
export function equals(evaluator: Evaluator, left: Par, right: Par): GBool {
  return new GBool(areEqual(evaluator, left, right));
}

/** `left != right`. @spec 21 §5.3 */
export function notEquals(evaluator: Evaluator, left: Par, right: Par): GBool {
  return new GBool(!areEqual(evaluator, left, right));
}

/** The charge comes before the operands are evaluated. */
function compare(evaluator: Evaluator, left: Par, right: Par): number {
  evaluator.phlo.charge(comparisonCost);
  const one = evaluator.single(left);
  const other = evaluator.single(right);
  if (one.kind === "GBool" && other.kind === "GBool") return Number(one.value) - Number(other.value);
  if (one.kind === "GInt" && other.kind === "GInt") return order(one.value, other.value);
  // Both this language and rnode's compare texts by UTF-16 unit.
  if (one.kind === "GString" && other.kind === "GString") return order(one.value, other.value);
  throw unexpectedCompare(one, other);
}

function order<T extends bigint | string>(one: T, other: T): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function unexpectedCompare(one: Expr, other: Expr): Error {
  return reduceError(`Unexpected compare: ${describeExpr(one)} vs. ${describeExpr(other)}`);
}

function areEqual(evaluator: Evaluator, left: Par, right: Par): boolean {
  const { env, phlo } = evaluator;
  const one = evaluator.par(left);
  const other = evaluator.par(right);
  const substitutedOne = substituteAndCharge(one, 0, env, phlo);
  const substitutedOther = substituteAndCharge(other, 0, env, phlo);
  phlo.charge(Math.min(sizeOfPar(substitutedOne), sizeOfPar(substitutedOther)));
  return equalPar(substitutedOne, substitutedOther);
}
