export { historyLines } from "../observe/historyLines.js";
export { accountGenesis, type GenesisPlan, testGenesis } from "./AccountNode.js";
export { fillWithGenesis, type SoloOptions, SoloValidator, testKey, userDeploy } from "./SoloValidator.js";
export { type TestSettings, testConfig } from "./testConfig.js";
export { makeData } from "./testData.js";
export { type TestNetwork, testNetwork } from "./testNetwork.js";
export { type DataInMemory, writeData } from "./writeData.js";
