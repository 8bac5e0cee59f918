export type { StatePiece } from "@vedette/tuplespace";
export { BlockCommitBatcher, type GroupLimits, offlineLimits } from "./chain/BlockCommitBatcher.js";
export { CatchUpBatcher, type CatchUpBatcherOptions } from "./chain/CatchUpBatcher.js";
export { type ExecutionListener, executionOf } from "./chain/executionOf.js";
export { executorPipeline } from "./chain/executorPipeline.js";
export { f1r3nodeExecutionOf, genesisExecution } from "./chain/f1r3nodeExecutionOf.js";
export { type FloorPortParts, floorPortOf, numberEntryPortOf } from "./chain/floorPorts.js";
export { PeerBlockDecoder } from "./chain/PeerBlockDecoder.js";
export { SpeculativeReplay } from "./chain/SpeculativeReplay.js";
export {
  approvedBlockOf,
  blockProcessorOf,
  blockStoreOf,
  dagViewOf,
  settledAdmissionOf,
  stateExportOf,
  stateImportOf,
} from "./chain/syncPorts.js";
export { withBlockBytes } from "./chain/withBlockBytes.js";
export { loadForms } from "./dialect/loadForms.js";
export type { StateForms } from "./dialect/StateForms.js";
export { F1r3nodeExecutor, type MergeScopeAnswer, type MergeScopeCall } from "./executor/F1r3nodeExecutor.js";
export {
  type ExecutorApi,
  type MergeAnswer,
  type MergeCall,
  type PlayAnswer,
  type PlayCall,
  type ReplayAnswer,
  type ReplayCall,
  RnodeExecutor,
} from "./executor/RnodeExecutor.js";
export type { AdoptAnswer, AdoptCall, ForgetCall, PruneCall, StatePage } from "./executor/StateStoreWriter.js";
export type { BoundedExploreAnswer } from "./reader/boundedExplore.js";
export {
  type ContinuationsCall,
  type DataCall,
  type ExploreAnswer,
  type RenderedTerms,
  StateReader,
  type TermOutputFormat,
  type WaitingReceive,
} from "./reader/StateReader.js";
export type { EntriesAnswer, EntriesCall } from "./reader/stateEntries.js";
export type { NameGiven } from "./reader/stateName.js";
export { stopText } from "./reader/stopText.js";
export { foundValue, type LookupResult } from "./report/LookupResult.js";
export { printPar } from "./report/printPar.js";
export type { BlockCall, ReportAnswer, TraceAnswer } from "./report/ReportReader.js";
export { TextWriter } from "./report/TextWriter.js";
