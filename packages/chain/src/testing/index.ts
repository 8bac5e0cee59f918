export { evidenceTag } from "../evidence/evidenceBytes.js";
export { encodeEarlierMetadata } from "./earlierMetadata.js";
export { share, signedDeploy, TestValidator, testGenesis, testKey } from "./ProposeNetwork.js";
export { TestDag } from "./TestDag.js";
