export { chainsDirectory, sharedDirectory, vectorsDirectory } from "./recorded.js";
export { lengthPrefixed, type RecordedBlock, type RecordedBlockFacts, recordedBlocks } from "./recordedChain.js";
