import { SpaceError } from "@vedette/tuplespace";
import { InterpreterError, isLimitOfMachine } from "../InterpreterError.js";
import { FatalError } from "./FatalError.js";

/**
 * Whether rnode too would see this error come out of a branch. Everything else (a stack that is too small,
 * a damaged store, a bug of ours) is no verdict about a program and ends the evaluation at once.
 */
export function isProgramFault(error: unknown): error is Error {
  if (error instanceof InterpreterError) return !isLimitOfMachine(error);
  if (error instanceof SpaceError) return error.failure.code === "commNotInTrace";
  return error instanceof FatalError;
}
