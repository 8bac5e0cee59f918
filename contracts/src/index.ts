export { contractSource, type SystemContract, systemContracts } from "./contractSource.js";
