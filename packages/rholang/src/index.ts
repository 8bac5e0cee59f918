export { compile } from "./compile.js";
export { ChargingSpace } from "./cost/ChargingSpace.js";
export { parsingCost } from "./cost/costs.js";
export { Phlo } from "./cost/Phlo.js";
export { type Budget, budgetMeter, StoppedError, type StopReason } from "./evaluate/Budget.js";
export { Environment } from "./evaluate/Environment.js";
export { type EvaluateResult, type Evaluation, evaluate, type Program } from "./evaluate/evaluate.js";
export { FatalError, type Fatality, fatalClass } from "./evaluate/FatalError.js";
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
export { renderError } from "./syntax/renderError.js";
export { type FixedChannel, fixedChannel, fixedChannels, urnMap } from "./system/channels.js";
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
export { checkEvalVector, type EvalVector } from "./vectors/checkEvalVector.js";
export { checkMatchVector, type MatchVector } from "./vectors/checkMatchVector.js";
export { checkParseVector, type ParseVector } from "./vectors/checkParseVector.js";
export {
  checkVectorFile,
  type FailedVector,
  type VectorFileResult,
  vectorKindOf,
} from "./vectors/checkVectorFile.js";
export type { VectorVerdict } from "./vectors/VectorVerdict.js";
