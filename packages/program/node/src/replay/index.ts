export { RecordedChain } from "./RecordedChain.js";
export { ReplayProgress } from "./ReplayProgress.js";
export { openReplayDirectory, type ReplayStart, type ReplaySummary, replayChain } from "./replayChain.js";
