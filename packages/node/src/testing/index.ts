export { accountGenesis, type GenesisPlan, testGenesis } from "./AccountNode.js";
export { makeData } from "./madeData.js";
export { SoloValidator, testKey, userDeploy } from "./SoloValidator.js";
