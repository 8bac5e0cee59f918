import { type Expr, GInt, type Par, parOfExpr } from "@vedette/terms";
import { FatalError } from "../FatalError.js";
import type { Evaluator } from "./Evaluator.js";
import {
  divisionCost,
  moduloCost,
  multiplicationCost,
  opCallCost,
  subtractionCost,
  sumCost,
} from "./expressionCosts.js";
import { operatorExpected, operatorNotDefined } from "./operatorError.js";

/** `left * right`. @spec 21 §5.3 */
export function multiply(evaluator: Evaluator, left: Par, right: Par): GInt {
  const one = evaluator.long(left);
  const other = evaluator.long(right);
  evaluator.phlo.charge(multiplicationCost);
  return wrapped(one * other);
}

/** `left / right`; by zero it ends the block. @spec 21 §5.3, §9.3 */
export function divide(evaluator: Evaluator, left: Par, right: Par): GInt {
  const dividend = evaluator.long(left);
  const divisor = evaluator.long(right);
  evaluator.phlo.charge(divisionCost);
  if (divisor === 0n) throw new FatalError({ code: "divisionByZero" });
  return wrapped(dividend / divisor);
}

/** `left % right`; by zero it ends the block. @spec 21 §5.3, §9.3 */
export function modulo(evaluator: Evaluator, left: Par, right: Par): GInt {
  const dividend = evaluator.long(left);
  const divisor = evaluator.long(right);
  evaluator.phlo.charge(moduloCost);
  if (divisor === 0n) throw new FatalError({ code: "divisionByZero" });
  return wrapped(dividend % divisor);
}

/** `left + right`: a sum, or a set with one element more. @spec 21 §5.3 */
export function plus(evaluator: Evaluator, left: Par, right: Par): Expr {
  const one = evaluator.single(left);
  const other = evaluator.single(right);
  if (one.kind === "GInt") {
    if (other.kind !== "GInt") throw operatorExpected("+", "Int", other);
    evaluator.phlo.charge(sumCost);
    return wrapped(one.value + other.value);
  }
  if (one.kind === "ESet") return onCollection(evaluator, "add", one, other);
  throw operatorNotDefined("+", one);
}

/** `left - right`: a difference, or a collection with one element less. @spec 21 §5.3 */
export function minus(evaluator: Evaluator, left: Par, right: Par): Expr {
  const one = evaluator.single(left);
  const other = evaluator.single(right);
  if (one.kind === "GInt") {
    if (other.kind !== "GInt") throw operatorExpected("-", "Int", other);
    evaluator.phlo.charge(subtractionCost);
    return wrapped(one.value - other.value);
  }
  if (one.kind === "EMap" || one.kind === "ESet") return onCollection(evaluator, "delete", one, other);
  throw operatorNotDefined("-", one);
}

/** `+` and `-` on collections are methods with another charge. @spec 21 §5.3 */
function onCollection(evaluator: Evaluator, method: string, collection: Expr, element: Expr): Expr {
  evaluator.phlo.charge(opCallCost);
  return evaluator.single(evaluator.callMethod(method, parOfExpr(collection), [parOfExpr(element)]));
}

/** Integers have 64 bits and wrap around. */
function wrapped(value: bigint): GInt {
  return new GInt(BigInt.asIntN(64, value));
}
