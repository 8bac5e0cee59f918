export { evidenceTag } from "../evidence/evidenceBytes.js";
export { encodeEarlierMetadata } from "./earlierMetadata.js";
export { type NewerBlock, type NewerBlockFacts, NewerDag, newerChain } from "./newerChain.js";
export { type NewerPeople, newerGenesis, newerParameters } from "./newerGenesis.js";
export { contestedTerm, type NewerConsensus, newerParts, newerRules } from "./newerParts.js";
export {
  share,
  signedDeploy,
  TestValidator,
  type TestValidatorOptions,
  testGenesis,
  testKey,
} from "./ProposeNetwork.js";
export { TestDag } from "./TestDag.js";
