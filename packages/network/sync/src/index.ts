export type { CeremonyRules } from "./ceremony/CeremonyMaster.js";
export { Engine } from "./engine/Engine.js";
export type { CeremonyModes, Launch } from "./engine/launch.js";
export { type CeremonyParts, defaultSyncTimes, type SyncOptions, type SyncTimes } from "./engine/SyncOptions.js";
export { type ApprovedBlocks, blocksAround, importedBlocks } from "./join/approvedBlocks.js";
export { type F1r3nodeJoinOptions, f1r3nodeJoin } from "./join/f1r3node/f1r3nodeJoin.js";
export { type HorizonDepths, horizonOf, lowestOf, statesOf } from "./join/f1r3node/horizon.js";
export type { JoinRules } from "./join/JoinRules.js";
export { rnodeJoin } from "./join/rnode/rnodeJoin.js";
export type {
  ApprovedBlockPort,
  BlockOutcome,
  BlockStoreView,
  BlockToProcess,
  BlockValidationPort,
  ImportedBlock,
  SyncDagView,
} from "./ports/ChainPort.js";
export type { FloorPort, NumberEntryPort } from "./ports/FloorPort.js";
export type { GenesisPort } from "./ports/GenesisPort.js";
export type { PeerRequestPort, PeersPort } from "./ports/PeersPort.js";
export type { ImportedPage, StateExportPort, StateImportPort } from "./ports/StatePort.js";
export { SyncError, type SyncFailure } from "./SyncError.js";
export type { AdmissionReason, ApprovalCounts, EmitSyncEvent, SyncEvent } from "./SyncEvent.js";
export type { SyncStatus } from "./status/SyncStatus.js";
export { systemTimers, type Timers, waitFor } from "./Timers.js";
export {
  HistoryVerifier,
  type ProofChain,
  type ProofOptions,
  type ProofOutcome,
  type ProofTimes,
} from "./verify/HistoryVerifier.js";
export { ReplayedBlocks } from "./verify/ReplayedBlocks.js";
export type { SegmentExecution } from "./verify/SegmentReplay.js";
export { Segments, type SegmentsOptions } from "./verify/Segments.js";
