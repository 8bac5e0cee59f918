import type { Expr } from "@vedette/terms";
import { InterpreterError } from "../../InterpreterError.js";
import { rustTypeName } from "./typeName.js";

/** The operator is not defined on the type. @spec 61 §6.5 */
export function notDefined(operator: string, operand: Expr): InterpreterError {
  return new InterpreterError({ class: "OperatorNotDefined", operator, otherType: rustTypeName(operand) });
}

/** The operator wants another type. @spec 61 §6.5 */
export function expected(operator: string, wanted: string, otherType: string): InterpreterError {
  return new InterpreterError({ class: "OperatorExpectedError", operator, expected: wanted, otherType });
}

/** Of `*`, `/` and `%`: which error it is depends on whether the types agree. @spec 61 §6.5 */
export function mismatch(operator: string, left: Expr, right: Expr): InterpreterError {
  const one = rustTypeName(left);
  const other = rustTypeName(right);
  return one === other ? notDefined(operator, left) : expected(operator, one, other);
}
