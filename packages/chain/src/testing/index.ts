export { evidenceTag } from "../evidence/evidenceBytes.js";
export { encodeEarlierMetadata } from "./earlierMetadata.js";
export { type NewerBlock, type NewerBlockFacts, NewerDag, newerChain } from "./newerChain.js";
export { type NewerPeople, newerGenesis, newerParameters } from "./newerGenesis.js";
export { share, signedDeploy, TestValidator, testGenesis, testKey } from "./ProposeNetwork.js";
export { TestDag } from "./TestDag.js";
