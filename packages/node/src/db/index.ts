export { FinalBlocks } from "../prove/FinalBlocks.js";
export { openStoredHistory, type StoredHistory } from "../prove/openStoredHistory.js";
export { type CompactedFile, compactData } from "./compactData.js";
export { type DataStats, dataStats } from "./dataStats.js";
export { type MigratedData, migrateData } from "./migrateData.js";
export { type OfflineData, openBeside, openForFilling, openOffline, type TellProgress } from "./OfflineData.js";
export { type PrunedData, pruneData } from "./pruneData.js";
export { type Verification, verifyData } from "./verifyData.js";
