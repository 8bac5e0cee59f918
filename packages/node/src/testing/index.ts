export { accountGenesis, type GenesisPlan, testGenesis } from "./AccountNode.js";
export { makeData } from "./madeData.js";
export { executorHere, SoloValidator, testKey, userDeploy } from "./SoloValidator.js";
