export { namesOfDeploy, type PublicNameUse, publicNamesUsed } from "./namesOfDeploy.js";
export { programReaderOf } from "./programRules.js";
export { type KnownTransfers, type SummedUpDeploy, summarizeDeploy } from "./summarizeDeploy.js";
