export { accountGenesis, type GenesisPlan, testGenesis } from "./AccountNode.js";
export { makeData } from "./madeData.js";
export { type SoloOptions, SoloValidator, testKey, userDeploy } from "./SoloValidator.js";
export { type TestNetwork, testNetwork } from "./testNetwork.js";
