export type { InterpreterFailure, SourcePosition, WordedFailureClass } from "./InterpreterError.js";
export {
  bugFoundError,
  InterpreterError,
  outOfPhlogistons,
  printPosition,
  reduceError,
  userAbort,
  wordedError,
} from "./InterpreterError.js";
