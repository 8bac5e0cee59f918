import type { InterpreterError } from "../../InterpreterError.js";
import { debugText } from "../debugText.js";
import { bareText } from "../f1r3nodeError.js";

/** An error as f1r3node's debug form shows it: seen where several stand in one. @spec 61 §6.5 */
export function debugError({ failure, message }: InterpreterError): string {
  switch (failure.class) {
    case "OutOfPhlogistonsError":
    case "UserAbortError":
    case "CanNotReplayFailedNonDeterministicProcess":
      return failure.class;
    case "MethodNotDefined":
      return `MethodNotDefined { method: ${debugText(failure.method)}, other_type: ${debugText(failure.otherType)} }`;
    case "MethodArgumentNumberMismatch":
      return (
        `MethodArgumentNumberMismatch { method: ${debugText(failure.method)}, ` +
        `expected: ${failure.expected}, actual: ${failure.actual} }`
      );
    case "OperatorNotDefined":
      return `OperatorNotDefined { op: ${debugText(failure.operator)}, other_type: ${debugText(failure.otherType)} }`;
    case "OperatorExpectedError":
      return (
        `OperatorExpectedError { op: ${debugText(failure.operator)}, ` +
        `expected: ${debugText(failure.expected)}, other_type: ${debugText(failure.otherType)} }`
      );
    case "AggregateError":
      return `AggregateError { interpreter_errors: [${failure.errors.map(debugError).join(", ")}] }`;
    default:
      return `${failure.class}(${debugText(bareText(failure.class, message))})`;
  }
}
