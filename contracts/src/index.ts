export { contractSource, type SystemContract, systemContracts } from "./contractSource.js";
export {
  type F1r3nodeContract,
  f1r3nodeContractSource,
  f1r3nodeContracts,
  type GenesisContract,
} from "./f1r3nodeContract.js";
export { withF1r3nodeUrns } from "./f1r3nodeContractUrns.js";
