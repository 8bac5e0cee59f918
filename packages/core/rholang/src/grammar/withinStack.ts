import { InterpreterError } from "../InterpreterError.js";

/**
 * Runs something that recurses with the nesting of a program.
 *
 * @param run is given a function that notes at what it is
 * @throws {InterpreterError} `NestedTooDeeply` where the thread's stack does not suffice
 */
export function withinStack<T>(run: (stage: (during: string) => void) => T): T {
  let during = "";
  try {
    return run((stage) => {
      during = stage;
    });
  } catch (error) {
    if (!isStackOverflow(error)) throw error;
    throw new InterpreterError({ class: "NestedTooDeeply", during }, { cause: error });
  }
}

function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes("call stack");
}
