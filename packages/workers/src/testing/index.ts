export { ExecutingNode } from "./ExecutingNode.js";
export { executorHere, stateExecutorOf } from "./executorHere.js";
export { type FloorBeginning, FloorNetwork, ownBeginning, recordedBeginning } from "./FloorNetwork.js";
export { copyOf, FloorValidator, type FloorValidatorOptions } from "./FloorValidator.js";
export { fatalTerm, hostileKinds, hostileTerms } from "./hostileTerms.js";
export { lastNewerState, type NewerChain, newerChain } from "./newerChain.js";
export { newerTransferTerm } from "./transferTerm.js";
