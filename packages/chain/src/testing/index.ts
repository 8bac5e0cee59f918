export { evidenceTag } from "../evidence/evidenceBytes.js";
export { signedDeploy, TestValidator, testGenesis, testKey } from "./ProposeNetwork.js";
