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
export { methodCosts } from "./evaluate/method/methodCosts.js";
export { methods } from "./evaluate/method/methodTable.js";
export { f1r3nodeForms, type ProgramForms, rnodeForms } from "./evaluate/programForms.js";
export { f1r3nodeGrammar } from "./f1r3node/f1r3nodeGrammar.js";
export { f1r3nodeMethodArities } from "./f1r3node/method/f1r3nodeMethods.js";
export { placesWithoutWidths } from "./f1r3node/syntax/appendFloatWidths.js";
export type { F1r3nodeProcess } from "./f1r3node/syntax/ast.js";
export { type F1r3nodeParsedSource, parseF1r3nodeSource } from "./f1r3node/syntax/F1r3nodeSourceParser.js";
export { bitmaskTag, f1r3nodeSystemChannels } from "./f1r3node/system/f1r3nodeChannels.js";
export { renamedChannels } from "./f1r3node/system/renamedChannels.js";
export { isVersionedUrn } from "./f1r3node/system/versionedUrn.js";
export type { Grammar } from "./grammar/Grammar.js";
export type { InterpreterFailure, SourcePosition, WordedFailureClass } from "./InterpreterError.js";
export { InterpreterError, isLimitOfMachine } from "./InterpreterError.js";
export { f1r3nodeInterpreter } from "./interpreter/f1r3nodeInterpreter.js";
export type { Interpreter } from "./interpreter/Interpreter.js";
export { rnodeInterpreter } from "./interpreter/rnodeInterpreter.js";
export { matchDatum, matchPar } from "./match/matchPar.js";
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
export { ActiveSourceLocations } from "./trace/ActiveSourceLocations.js";
export { compileWithLocations, type PlacedProgram, type TermSourceLocation } from "./trace/compileWithLocations.js";
export type { MatchVector } from "./vectors/checkMatchVector.js";
export type { ParseVector } from "./vectors/checkParseVector.js";
export { type CheckedVector, VectorChecks, type VectorKind, vectorKindOf } from "./vectors/VectorChecks.js";
export { f1r3nodeVectors, rnodeVectors, type VectorDialect } from "./vectors/VectorDialect.js";
export type { VectorVerdict } from "./vectors/VectorVerdict.js";
