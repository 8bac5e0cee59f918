import { type BinaryOperator, type Expr, GBool, type Par, parOfExpr } from "@vedette/terms";
import { divide, minus, modulo, multiply, plus } from "./arithmetic.js";
import { equals, greater, greaterOrEqual, less, lessOrEqual, notEquals } from "./comparison.js";
import { concatenate } from "./concatenate.js";
import type { Evaluator } from "./Evaluator.js";
import { booleanCost, opCallCost } from "./expressionCosts.js";
import { interpolate } from "./interpolate.js";
import { operatorExpected, operatorNotDefined } from "./operatorError.js";

/** An operator of two operands, which are not evaluated yet. */
export type Operator = (evaluator: Evaluator, left: Par, right: Par) => Expr;

/** The rule of each operator. @spec 21 §5.3 */
export const binary: Readonly<Record<BinaryOperator, Operator>> = {
  EMult: multiply,
  EDiv: divide,
  EMod: modulo,
  EPlus: plus,
  EMinus: minus,
  ELt: less,
  ELte: lessOrEqual,
  EGt: greater,
  EGte: greaterOrEqual,
  EEq: equals,
  ENeq: notEquals,
  EAnd: and,
  EOr: or,
  EPercentPercent: interpolate,
  EPlusPlus: concatenate,
  EMinusMinus: difference,
};

/** Both operands are always evaluated. @spec 21 §5.3 */
function and(evaluator: Evaluator, left: Par, right: Par): GBool {
  const one = evaluator.bool(left);
  const other = evaluator.bool(right);
  evaluator.phlo.charge(booleanCost);
  return new GBool(one && other);
}

/** Both operands are always evaluated. @spec 21 §5.3 */
function or(evaluator: Evaluator, left: Par, right: Par): GBool {
  const one = evaluator.bool(left);
  const other = evaluator.bool(right);
  evaluator.phlo.charge(booleanCost);
  return new GBool(one || other);
}

/** `--`, which knows sets alone. @spec 21 §5.3 */
function difference(evaluator: Evaluator, left: Par, right: Par): Expr {
  evaluator.phlo.charge(opCallCost);
  const one = evaluator.single(left);
  const other = evaluator.single(right);
  if (one.kind !== "ESet") throw operatorNotDefined("--", one);
  if (other.kind !== "ESet") throw operatorExpected("--", "Set", other);
  return evaluator.single(evaluator.callMethod("diff", parOfExpr(one), [parOfExpr(other)]));
}
