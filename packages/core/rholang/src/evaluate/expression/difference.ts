import { type Expr, type Par, parOfExpr } from "@vedette/terms";
import type { Evaluator } from "./Evaluator.js";
import { opCallCost } from "./expressionCosts.js";
import { operatorExpected, operatorNotDefined } from "./operatorError.js";

/** `--`, which knows sets alone. @spec 21 §5.3 */
export function difference(evaluator: Evaluator, left: Par, right: Par): Expr {
  evaluator.phlo.charge(opCallCost);
  const one = evaluator.single(left);
  const other = evaluator.single(right);
  if (one.kind !== "ESet") throw operatorNotDefined("--", one);
  if (other.kind !== "ESet") throw operatorExpected("--", "Set", other);
  return evaluator.single(evaluator.callMethod("diff", parOfExpr(one), [parOfExpr(other)]));
}
