import type { InterpreterError } from "../../InterpreterError.js";
import { debugText } from "../debugText.js";
import { bareText } from "../f1r3nodeError.js";

/** Returns an error as f1r3node's debug form shows it: visible where several are in one. @spec 61 §6.5 */
function debugError(error: InterpreterError): string {
  const { failure, message } = error;
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
      return aggregateText(error, failure.errors);
    default:
      return `${failure.class}(${debugText(bareText(failure.class, message))})`;
  }
}

/** Cached texts of errors that hold others, which may be hundreds deep. */
const knownTexts = new WeakMap<InterpreterError, string>();

/** PERF: texts are put together without a copy, so that one in the other takes no longer than all of them beside each other. */
function aggregateText(error: InterpreterError, errors: readonly InterpreterError[]): string {
  let text = knownTexts.get(error);
  if (text === undefined) {
    text = `AggregateError { interpreter_errors: [${joinedTexts(errors, ", ")}] }`;
    knownTexts.set(error, text);
  }
  return text;
}

/** The debug forms of errors with a separator between them. */
export function joinedTexts(errors: readonly InterpreterError[], separator: string): string {
  let text = "";
  for (let at = 0; at < errors.length; at += 1) text += (at === 0 ? "" : separator) + debugError(errors[at]!);
  return text;
}
