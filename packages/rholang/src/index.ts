export type { InterpreterFailure, SourcePosition, WordedFailureClass } from "./InterpreterError.js";
export { bugFoundError, InterpreterError, printPosition, reduceError, wordedError } from "./InterpreterError.js";
