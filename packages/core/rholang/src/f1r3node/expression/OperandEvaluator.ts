import type { Expr, Par } from "@vedette/terms";
import type { F1r3nodeMethodEvaluator } from "../method/F1r3nodeMethod.js";

/** The parts of the evaluator that operators need. @spec 61 §6.4 */
export interface OperandEvaluator extends F1r3nodeMethodEvaluator {
  bool(par: Par): boolean;
  /** A method in the place of an operator: its price is the operator's. */
  callMethod(name: string, target: Expr, arg: Expr): Expr;
}

/** An operator of two operands, which are not evaluated yet. */
export type F1r3nodeOperator = (evaluator: OperandEvaluator, left: Par, right: Par) => Expr;
