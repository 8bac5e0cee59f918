export type { CeremonyRules } from "./ceremony/CeremonyRules.js";
export { Engine } from "./engine/Engine.js";
export type { CeremonyModes, Launch } from "./engine/launch.js";
export { type CeremonyParts, defaultSyncTimes, type SyncOptions, type SyncTimes } from "./engine/SyncOptions.js";
export { type ApprovedBlocks, blocksAround, importedBlocks } from "./join/approvedBlocks.js";
export type { JoinRules } from "./join/JoinRules.js";
export { type HorizonDepths, horizonOf, lowestOf, statesOf } from "./join/rust/horizon.js";
export { type RustJoinOptions, rustJoin } from "./join/rust/rustJoin.js";
export { scalaJoin } from "./join/scala/scalaJoin.js";
export type {
  ApprovedBlockPort,
  BlockOutcome,
  BlockProcessorPort,
  BlockStoreView,
  DagView,
  ImportedBlock,
  ReadyBlock,
} from "./ports/ChainPort.js";
export type { FloorPort, NumberEntryPort } from "./ports/FloorPort.js";
export type { GenesisPort } from "./ports/GenesisPort.js";
export type { PeersPort } from "./ports/PeersPort.js";
export type { QuestionsPort } from "./ports/QuestionsPort.js";
export type { ImportedPage, StateExportPort, StateImportPort } from "./ports/StatePort.js";
export {
  HistoryProof,
  type ProofChain,
  type ProofOutcome,
  type ProofTimes,
  type ProofUse,
} from "./prove/HistoryProof.js";
export { ReplayedBlocks } from "./prove/ReplayedBlocks.js";
export type { SegmentExecution } from "./prove/SegmentReplay.js";
export { Segments, type SegmentsUse } from "./prove/Segments.js";
export { SyncError, type SyncFailure } from "./SyncError.js";
export type { AdmissionReason, ApprovalCounts, EmitSyncEvent, SyncEvent } from "./SyncEvent.js";
export type { SyncStatus } from "./status/SyncStatus.js";
export { systemTimers, type Timers, waitFor } from "./Timers.js";
