export { ExecutingNode } from "./ExecutingNode.js";
export { executorHere, stateExecutorOf } from "./executorHere.js";
export { type FloorBeginning, FloorNetwork, ownBeginning, recordedBeginning } from "./FloorNetwork.js";
export { copyOf, FloorValidator, type FloorValidatorOptions } from "./FloorValidator.js";
export { type F1r3nodeChain, f1r3nodeChain, lastF1r3nodeState } from "./f1r3nodeChain.js";
export { fatalTerm, hostileKinds, hostileTerms } from "./hostileTerms.js";
export { f1r3nodeTransferTerm } from "./transferTerm.js";
