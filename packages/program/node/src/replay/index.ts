export { Progress } from "./Progress.js";
export { RecordedChain } from "./RecordedChain.js";
export { openReplayDirectory, type ReplayStart, type ReplaySummary, replayChain } from "./replayChain.js";
