export { compile } from "./compile.js";
export { parsingCost } from "./cost/costs.js";
export { type Budget, budgetMeter, type StopReason } from "./evaluate/Budget.js";
export {
  type EvaluateResult,
  type Evaluation,
  type EvaluationTrace,
  evaluate,
  type Program,
} from "./evaluate/evaluate.js";
export { FatalError, type Fatality } from "./evaluate/FatalError.js";
export { methods } from "./evaluate/method/methodArities.js";
export { methodCosts } from "./evaluate/method/methodCosts.js";
export type { Grammar } from "./grammar/Grammar.js";
export type { InterpreterFailure, SourcePosition, WordedFailureClass } from "./InterpreterError.js";
export { InterpreterError, isLimitOfMachine } from "./InterpreterError.js";
export type { Interpreter } from "./interpreter/Interpreter.js";
export { rustInterpreter } from "./interpreter/rustInterpreter.js";
export { scalaInterpreter } from "./interpreter/scalaInterpreter.js";
export { matchDatum, matchPar } from "./match/matchPar.js";
export { rustMethodArities } from "./rust/method/rustMethodArities.js";
export { rustGrammar } from "./rust/rustGrammar.js";
export { placesWithoutWidths } from "./rust/syntax/appendFloatWidths.js";
export type { Process as RustProcess } from "./rust/syntax/ast.js";
export { parseRustSource, type RustParsedSource } from "./rust/syntax/RustSourceParser.js";
export { renamedChannels } from "./rust/system/renamedChannels.js";
export { bitmaskTag, rustSystemChannels } from "./rust/system/rustChannels.js";
export { isVersionedUrn } from "./rust/system/versionedUrn.js";
export type {
  Bind,
  LetDeclaration,
  Name,
  NamePatterns,
  Process,
  Receipt,
  Remainder,
} from "./syntax/ast.js";
export { LineTable } from "./syntax/LineTable.js";
export { renderError } from "./syntax/renderError.js";
export {
  type Comment,
  type ParsedSource,
  parseSource,
  type SourceToken,
  type Span,
  type Wrapping,
} from "./syntax/SourceParser.js";
export { systemChannels, urnMap } from "./system/channels.js";
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
export { compileWithPlaces, type PlacedProgram, type TermPlace } from "./trace/compileWithPlaces.js";
export { RunningPlaces } from "./trace/RunningPlaces.js";
export type { MatchVector } from "./vectors/checkMatchVector.js";
export type { ParseVector } from "./vectors/checkParseVector.js";
export { type CheckedVector, VectorChecks, type VectorKind, vectorKindOf } from "./vectors/VectorChecks.js";
export { rustVectors, scalaVectors, type VectorDialect } from "./vectors/VectorDialect.js";
export type { VectorVerdict } from "./vectors/VectorVerdict.js";
