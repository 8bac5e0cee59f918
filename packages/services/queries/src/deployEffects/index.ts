export { type NameUse, namesOfDeploy, type PublicNameUse, publicNamesUsed, usesOfNames } from "./namesOfDeploy.js";
export { programReaderOf } from "./programRules.js";
export { type KnownTransfers, type SummedUpDeploy, summarizeDeploy } from "./summarizeDeploy.js";
