export { asOrdinaryUser } from "./asOrdinaryUser.js";
export { brokenHttp2, http2Beginning, http2Frame, silentHttp2 } from "./brokenHttp2.js";
export { type BrowserBundle, bundleForBrowser } from "./bundleForBrowser.js";
export type { Witness } from "./evidence/FailureEvidence.js";
export { keepLog, nodeWitness, processEvidence } from "./evidence/processEvidence.js";
export { attackers, bystander, Flood, untilClosed } from "./Flood.js";
export { findRecordings } from "./findRecordings.js";
export { flipBits } from "./flipBits.js";
export { freePort, freePortRange } from "./freePort.js";
export { goProgram, whyNoGo } from "./goProgram.js";
export { KafkaServer, whyNoKafka } from "./KafkaServer.js";
export { killProcess } from "./killProcess.js";
export {
  type DiskRecord,
  fastFolder,
  type PowerCut,
  placeDisk,
  powerCuts,
  recordProgram,
  whyNotRecorded,
} from "./powerCut/powerCuts.js";
export type { DiskContent } from "./powerCut/RecordedDisk.js";
export { oneOf, type SeededRandom, seededRandom, seedOfToday } from "./powerCut/seededRandom.js";
export {
  areRecordingsThere,
  chainDirectory,
  chainsThatAreThere,
  ownChain,
  ownF1r3nodeChain,
  readChainFile,
  readVectors,
  recordedDirectory,
  usualChains,
  type VectorFileKind,
  type VectorSet,
  vectorPrograms,
} from "./recorded.js";
export {
  lengthPrefixed,
  type MergedScope,
  type RecordedBlock,
  type RecordedBlockFacts,
  recordedBlocks,
} from "./recordedChain.js";
export { replayChain } from "./replayChain.js";
export { S3Server } from "./S3Server.js";
export { SmallDisk, whyNoSmallDisk } from "./SmallDisk.js";
export { skipNote } from "./skipNote.js";
export { areAllCasesTried, runs, usualCases } from "./usualCases.js";
export { patienceMs, slowness } from "./wait/patience.js";
export { type UntilOptions, until } from "./wait/until.js";
