import { wordedError } from "../InterpreterError.js";

/** `select` is in the grammar, but no program may use it. @spec 20 §4 */
export function refuseSelect(): never {
  throw wordedError("UnrecognizedNormalizerError", "Compilation of construct not yet supported.");
}
