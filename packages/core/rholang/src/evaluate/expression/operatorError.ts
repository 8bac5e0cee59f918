import type { Expr } from "@vedette/terms";
import { InterpreterError } from "../../InterpreterError.js";
import { typeName } from "./typeName.js";

/** The left operand is of a type that the operator does not know. @spec 21 §5.3 */
export function operatorNotDefined(operator: string, left: Expr): InterpreterError {
  return new InterpreterError({ class: "OperatorNotDefined", operator, otherType: typeName(left) });
}

/** The right operand is not of the type that goes with the left one. @spec 21 §5.3 */
export function operatorExpected(operator: string, expected: string, right: Expr): InterpreterError {
  return new InterpreterError({ class: "OperatorExpectedError", operator, expected, otherType: typeName(right) });
}
