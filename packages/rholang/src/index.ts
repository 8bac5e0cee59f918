export { compile } from "./compile.js";
export { parsingCost } from "./cost/costs.js";
export { type Budget, budgetMeter, type StopReason } from "./evaluate/Budget.js";
export { type EvaluateResult, type Evaluation, evaluate, type Program } from "./evaluate/evaluate.js";
export { FatalError, type Fatality } from "./evaluate/FatalError.js";
export type { InterpreterFailure, SourcePosition, WordedFailureClass } from "./InterpreterError.js";
export { InterpreterError, isLimitOfMachine } from "./InterpreterError.js";
export { matchDatum, matchPar } from "./match/matchPar.js";
export { renderError } from "./syntax/renderError.js";
export { disabledServices, type ExternalServices } from "./system/ExternalServices.js";
export { installSystemProcesses } from "./system/install.js";
export { bootstrapRegistry } from "./system/registryBootstrap.js";
export {
  type BlockData,
  type DeployData,
  factsAtRest,
  type OutputSink,
  type OutputStream,
} from "./system/SystemFacts.js";
export type { MatchVector } from "./vectors/checkMatchVector.js";
export type { ParseVector } from "./vectors/checkParseVector.js";
export {
  checkVectorFile,
  type FailedVector,
  type VectorFileResult,
  vectorKindOf,
} from "./vectors/checkVectorFile.js";
export type { VectorVerdict } from "./vectors/VectorVerdict.js";
