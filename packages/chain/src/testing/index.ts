export { evidenceTag } from "../evidence/evidenceBytes.js";
export { encodeEarlierMetadata } from "./earlierMetadata.js";
export { MixedNetwork, type MixedNetworkPlan, type NodeMake } from "./MixedNetwork.js";
export { type NewerBlock, type NewerBlockFacts, NewerDag, newerChain } from "./newerChain.js";
export { type NewerPeople, newerGenesis, newerParameters } from "./newerGenesis.js";
export { type NewerJudgementUse, newerJudgement } from "./newerJudgement.js";
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
