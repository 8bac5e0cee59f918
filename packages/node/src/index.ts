export { executionOf } from "./chain/executionOf.js";
export { ReplayAhead } from "./chain/ReplayAhead.js";
export { approvedBlockOf, blockProcessorOf, blockStoreOf, dagViewOf, stateImportOf } from "./chain/syncPorts.js";
export { EventLog } from "./events/EventLog.js";
export { Proposing, type ProposingOptions } from "./propose/Proposing.js";
export { noteMerge } from "./rejection/mergeNotes.js";
export { CatchUp } from "./start/CatchUp.js";
export { CurrentEngine } from "./start/CurrentEngine.js";
export type { Executor } from "./thread/executor.js";
export {
  type MergeCall,
  type PlayAnswer,
  type PlayCall,
  type ReplayAnswer,
  type ReplayCall,
  StateExecutor,
  type StatePage,
} from "./thread/StateExecutor.js";
