export { executorHere } from "./executorHere.js";
export { FloorNetwork, recordedFirstBlock } from "./FloorNetwork.js";
export { copyOf, FloorValidator, type FloorValidatorOptions, recordedKey } from "./FloorValidator.js";
export { hostileKinds, hostileTerms } from "./hostileTerms.js";
export { lastNewerState, type NewerChain, newerChain } from "./newerChain.js";
export { newerTransferTerm } from "./transferTerm.js";
