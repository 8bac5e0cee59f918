export { contractSource, type SystemContract, systemContracts } from "./contractSource.js";
export { type GenesisContract, type NewerContract, newerContractSource, newerContracts } from "./newerContract.js";
export { withNewerUrns } from "./newerUrns.js";
