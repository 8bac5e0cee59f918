import { GBool, type Par } from "@vedette/terms";
import type { Evaluator } from "./Evaluator.js";
import { booleanCost } from "./expressionCosts.js";

/** Both operands are always evaluated. @spec 21 §5.3 */
export function and(evaluator: Evaluator, left: Par, right: Par): GBool {
  const one = evaluator.bool(left);
  const other = evaluator.bool(right);
  evaluator.phlo.charge(booleanCost);
  return new GBool(one && other);
}

/** Both operands are always evaluated. @spec 21 §5.3 */
export function or(evaluator: Evaluator, left: Par, right: Par): GBool {
  const one = evaluator.bool(left);
  const other = evaluator.bool(right);
  evaluator.phlo.charge(booleanCost);
  return new GBool(one || other);
}
