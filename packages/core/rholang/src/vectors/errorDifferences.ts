import { InterpreterError } from "../InterpreterError.js";
import type { ExpectedError } from "./VectorVerdict.js";

/** A lazy value of rnode shows itself by its address, for instance as `Coeval.Map$1145322337`. */
const memoryAddress = /\bCoeval\.\w+\$\d+/;

/**
 * Compares an error with the expected one by class and text; by class alone where the vector has no text, or one
 * with a memory address of rnode in it, which was another in each run.
 */
export function errorDifferences(expected: ExpectedError, actual: InterpreterError): string[] {
  return compared(expected, actual, expected.message === undefined || memoryAddress.test(expected.message));
}

/** The number of a task in a text of f1r3node, which was another in each run. */
const taskNumber = /\btask \d+ panicked/;

/**
 * The same for f1r3node: texts of what is no program come from its parser generator, and are not compared; the number
 * of a task is left out.
 */
export function f1r3nodeErrorDifferences(expected: ExpectedError, actual: InterpreterError): string[] {
  const { cause } = actual;
  const compiled = cause instanceof InterpreterError ? cause : actual;
  const message = expected.message?.replace(taskNumber, "task panicked");
  const byClassAlone = message === undefined || compiled.failure.class === "ParserError";
  return compared(message === undefined ? expected : { ...expected, message }, actual, byClassAlone);
}

function compared(expected: ExpectedError, actual: InterpreterError, byClassAlone: boolean): string[] {
  const isSame = expected.class === actual.failure.class && (byClassAlone || expected.message === actual.message);
  return isSame
    ? []
    : [`error: expected ${expected.class}: ${expected.message ?? "(any text)"}; ours ${named(actual)}`];
}

/** Class and text of an error. */
export function named(error: InterpreterError): string {
  return `${error.failure.class}: ${error.message}`;
}
