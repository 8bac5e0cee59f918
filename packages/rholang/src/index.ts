export { compile } from "./compile.js";
export { Environment } from "./evaluate/Environment.js";
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
export { matchDatum, matchPar } from "./match/matchPar.js";
export type { WorkMeter } from "./match/WorkMeter.js";
