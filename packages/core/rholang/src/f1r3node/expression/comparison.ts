import { compareUtf8, type Expr, equalPar, f1r3nodeTerms, type GBigRational, GBool, type Par } from "@vedette/terms";
import { booleanCost, comparisonCost } from "../../evaluate/expression/expressionCosts.js";
import { f1r3nodeReduceError } from "../f1r3nodeError.js";
import { substituteAndCharge } from "../substitute/f1r3nodeSubstitute.js";
import { bigComparisonCost, rationalComparisonCost } from "./bigCosts.js";
import { describeF1r3nodeExpr } from "./describeF1r3nodeExpr.js";
import { bigOf, doubleOf } from "./numbers.js";
import type { F1r3nodeOperator, OperandEvaluator } from "./OperandEvaluator.js";
import { expected } from "./operatorError.js";

/** Below zero, zero, above zero; `undefined` where one is no number. */
type Order = number | undefined;

function comparison(holds: (order: number) => boolean): F1r3nodeOperator {
  return (evaluator, left, right) => {
    const order = compare(evaluator, left, right);
    return new GBool(order !== undefined && holds(order));
  };
}

/** `x < y`. @spec 61 §6.4 */
export const less = comparison((order) => order < 0);
/** `x <= y`. @spec 61 §6.4 */
export const lessOrEqual = comparison((order) => order <= 0);
/** `x > y`. @spec 61 §6.4 */
export const greater = comparison((order) => order > 0);
/** `x >= y`. @spec 61 §6.4 */
export const greaterOrEqual = comparison((order) => order >= 0);

/** The charge comes when the operands are evaluated and can be compared. @spec 22 §9 */
function compare(evaluator: OperandEvaluator, left: Par, right: Par): Order {
  const one = evaluator.single(left);
  const other = evaluator.single(right);
  const { phlo } = evaluator;
  if (one.kind === "GBool" && other.kind === "GBool") {
    phlo.charge(comparisonCost);
    return Number(one.value) - Number(other.value);
  }
  if (one.kind === "GInt" && other.kind === "GInt") {
    phlo.charge(comparisonCost);
    return order(one.value, other.value);
  }
  if (one.kind === "GString" && other.kind === "GString") {
    phlo.charge(comparisonCost);
    return compareUtf8(one.value, other.value);
  }
  return compareNumbers(evaluator, one, other);
}

function compareNumbers({ phlo }: OperandEvaluator, one: Expr, other: Expr): Order {
  if (one.kind === "GDouble" && other.kind === "GDouble") {
    phlo.charge(comparisonCost);
    const left = doubleOf(one.bits);
    const right = doubleOf(other.bits);
    return Number.isNaN(left) || Number.isNaN(right) ? undefined : order(left, right);
  }
  if (one.kind === "GBigInt" && other.kind === "GBigInt") {
    phlo.charge(bigComparisonCost(one.value, other.value));
    return order(bigOf(one.value), bigOf(other.value));
  }
  if (one.kind === "GBigRational" && other.kind === "GBigRational") {
    phlo.charge(rationalComparisonCost(one, other));
    return order(crossed(one, other), crossed(other, one));
  }
  if (one.kind === "GFixedPoint" && other.kind === "GFixedPoint") {
    phlo.charge(bigComparisonCost(one.unscaled, other.unscaled));
    if (one.scale !== other.scale) throw expected("cmp", `FixedPoint(p${one.scale})`, `FixedPoint(p${other.scale})`);
    return order(bigOf(one.unscaled), bigOf(other.unscaled));
  }
  throw f1r3nodeReduceError(`Unexpected compare: ${describeF1r3nodeExpr(one)} vs. ${describeF1r3nodeExpr(other)}`);
}

/** The numerator once both have one denominator, which is above zero in what programs can make. */
function crossed(one: GBigRational, other: GBigRational): bigint {
  return bigOf(one.numerator) * bigOf(other.denominator);
}

function order<T extends bigint | number>(one: T, other: T): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** `x == y`. @spec 21 §5.3 */
export const equals: F1r3nodeOperator = (evaluator, left, right) => new GBool(areEqual(evaluator, left, right));

/** `x != y`. @spec 21 §5.3 */
export const notEquals: F1r3nodeOperator = (evaluator, left, right) => new GBool(!areEqual(evaluator, left, right));

function areEqual(evaluator: OperandEvaluator, left: Par, right: Par): boolean {
  const { env, phlo } = evaluator;
  const one = evaluator.par(left);
  const other = evaluator.par(right);
  const substitutedOne = substituteAndCharge(one, 0, env, phlo);
  const substitutedOther = substituteAndCharge(other, 0, env, phlo);
  phlo.charge(Math.min(f1r3nodeTerms.sizeOfPar(substitutedOne), f1r3nodeTerms.sizeOfPar(substitutedOther)));
  return equalTerms(substitutedOne, substitutedOther);
}

/** Equality of terms without a NaN: that is equal to nothing. @spec 61 §6.4 */
export function equalTerms(one: Par, other: Par): boolean {
  // A NaN is equal to no term without one.
  return equalPar(one, other) && !holdsNaN(one) && !holdsNaN(other);
}

/** A double that is no number, at any depth of lists, tuples, sets and maps. */
function holdsNaN(par: Par): boolean {
  const waiting = [par];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const expr of next.exprs) {
      if (expr.kind === "GDouble" && Number.isNaN(doubleOf(expr.bits))) return true;
      if (expr.kind === "EList" || expr.kind === "ETuple" || expr.kind === "ESet") waiting.push(...expr.ps);
      else if (expr.kind === "EMap") for (const { key, value } of expr.kvs) waiting.push(key, value);
    }
  }
  return false;
}

/** `x and y`: both are always evaluated. @spec 21 §5.3 */
export const and: F1r3nodeOperator = (evaluator, left, right) => {
  const one = evaluator.bool(left);
  const other = evaluator.bool(right);
  evaluator.phlo.charge(booleanCost);
  return new GBool(one && other);
};

/** `x or y`: both are always evaluated. @spec 21 §5.3 */
export const or: F1r3nodeOperator = (evaluator, left, right) => {
  const one = evaluator.bool(left);
  const other = evaluator.bool(right);
  evaluator.phlo.charge(booleanCost);
  return new GBool(one || other);
};
