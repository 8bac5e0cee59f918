export { evidenceTag } from "../evidence/evidenceBytes.js";
export { EndlessJudgingError } from "./ArrivalNode.js";
export { encodeEarlierMetadata } from "./earlierMetadata.js";
export { type F1r3nodeBlock, type F1r3nodeBlockFacts, F1r3nodeDag, f1r3nodeChain } from "./f1r3nodeChain.js";
export { type F1r3nodePeople, f1r3nodeGenesisCase, f1r3nodeParameters } from "./f1r3nodeGenesisCase.js";
export { type F1r3nodeJudgementOptions, f1r3nodeJudgement } from "./f1r3nodeJudgement.js";
export { contestedTerm, type F1r3nodeParts, f1r3nodeConsensusRules, f1r3nodeParts } from "./f1r3nodeParts.js";
export { GossipingNetwork } from "./GossipingNetwork.js";
export { ManyValidators, type ManyValidatorsPlan, type RuleKind, type StepTimes } from "./ManyValidators.js";
export { MixedNetwork, type MixedNetworkPlan, type NodeMake } from "./MixedNetwork.js";
export {
  share,
  signedDeploy,
  TestValidator,
  type TestValidatorOptions,
  testGenesis,
  testKey,
} from "./ProposeNetwork.js";
export { TestDag } from "./TestDag.js";
