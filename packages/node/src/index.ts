export { type CompactedFile, compactData } from "./db/compactData.js";
export { type DataStats, dataStats } from "./db/dataStats.js";
export { type MigratedData, migrateData } from "./db/migrateData.js";
export { type OfflineData, openOffline, type TellProgress } from "./db/OfflineData.js";
export { type PrunedData, pruneData } from "./db/pruneData.js";
export { type Verification, verifyData } from "./db/verifyData.js";
export { examine } from "./doctor/examine.js";
export type { Finding } from "./doctor/Finding.js";
export { genesisPortOf } from "./genesis/genesisPort.js";
export { indexLines } from "./observe/indexLines.js";
export { Meters } from "./observe/meters.js";
export { watchConnections, watchNode } from "./observe/watchNode.js";
export { Proposing } from "./propose/Proposing.js";
export type { ProposeSettings } from "./propose/proposeSettings.js";
export { Progress } from "./replay/Progress.js";
export { RecordedChain } from "./replay/RecordedChain.js";
export { type ReplayStart, type ReplaySummary, replayChain } from "./replay/replayChain.js";
export { CatchUp } from "./start/CatchUp.js";
export { CurrentEngine } from "./start/CurrentEngine.js";
export { chainRulesOf } from "./start/chainRules.js";
export { checkPorts, PortsInUseError, type WantedPort, wantedPorts } from "./start/checkPorts.js";
export { type DevelopmentPart, machineClock, type NodeClock, type NodeInside } from "./start/DevelopmentPart.js";
export {
  DataDirectoryError,
  isDirectoryLocked,
  lockDirectory,
  lockName,
  openDataDirectory,
} from "./start/dataDirectory.js";
export { makeFolders } from "./start/makeFolders.js";
export type { NodeGround, NodeOptions } from "./start/NodeParts.js";
export { onGround, runNode, runOnGround } from "./start/runNode.js";
export { stopWithParent } from "./start/stopWithParent.js";
