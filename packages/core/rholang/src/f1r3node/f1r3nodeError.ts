import { type F1r3nodeFailureClass, InterpreterError } from "../InterpreterError.js";

const prefixes: Readonly<Record<F1r3nodeFailureClass, string>> = {
  BugFoundError: "Bug found: ",
  DecodeError: "Decode error: ",
  IfConditionTypeError: "",
  IllegalArgumentError: "Illegal argument: ",
  ParserError: "Parser error: ",
  ProduceFailureWithOutput: "Produce failure with output: ",
  ReduceError: "Reduce error: ",
  RSpaceError: "RSpace Error: Interpreter Error: ",
  SubstituteError: "Substitute error: ",
};

/** An error that f1r3node words by its kind and a text. @spec 61 §6.5 */
export function f1r3nodeError(
  failureClass: F1r3nodeFailureClass,
  text: string,
  options?: ErrorOptions,
): InterpreterError {
  return new InterpreterError({ class: failureClass, text: prefixes[failureClass] + text }, options);
}

/** A run-time error without a class of its own, the most frequent kind. */
export function f1r3nodeReduceError(text: string): InterpreterError {
  return f1r3nodeError("ReduceError", text);
}

/** Wrong arguments of a built-in process. @spec 61 §8 */
export function illegalArgument(process: string): InterpreterError {
  return f1r3nodeError("IllegalArgumentError", `Incorrect arguments for ${process}`);
}

/** The text that the error was made of, without the words of its kind. */
export function bareText(failureClass: string, text: string): string {
  const prefix = prefixes[failureClass as F1r3nodeFailureClass];
  return prefix !== undefined && text.startsWith(prefix) ? text.slice(prefix.length) : text;
}
