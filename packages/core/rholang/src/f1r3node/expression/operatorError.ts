import type { Expr } from "@vedette/terms";
import { InterpreterError } from "../../InterpreterError.js";
import { f1r3nodeTypeName } from "./typeName.js";

/** The operator is not defined on the type. @spec 61 §6.5 */
export function notDefined(operator: string, operand: Expr): InterpreterError {
  return new InterpreterError({ class: "OperatorNotDefined", operator, otherType: f1r3nodeTypeName(operand) });
}

/** The operator wants another type. @spec 61 §6.5 */
export function expected(operator: string, wanted: string, otherType: string): InterpreterError {
  return new InterpreterError({ class: "OperatorExpectedError", operator, expected: wanted, otherType });
}

/** Returns the error of `*`, `/` and `%`, which depends on whether the types agree. @spec 61 §6.5 */
export function mismatch(operator: string, left: Expr, right: Expr): InterpreterError {
  const one = f1r3nodeTypeName(left);
  const other = f1r3nodeTypeName(right);
  return one === other ? notDefined(operator, left) : expected(operator, one, other);
}
