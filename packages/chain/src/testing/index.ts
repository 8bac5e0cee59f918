export { signedDeploy, TestValidator, testGenesis, testKey } from "./ProposeNetwork.js";
