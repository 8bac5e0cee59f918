export { ExecutingNode } from "./ExecutingNode.js";
export { executorHere, stateExecutorOf } from "./executorHere.js";
export { type F1r3nodeBeginning, F1r3nodeTestNetwork, ownBeginning, recordedBeginning } from "./F1r3nodeTestNetwork.js";
export { copyOf, F1r3nodeValidator, type F1r3nodeValidatorOptions } from "./F1r3nodeValidator.js";
export { type F1r3nodeChain, f1r3nodeChain, lastF1r3nodeState } from "./f1r3nodeChain.js";
export { fatalTerm, hostileKinds, hostileTerms } from "./hostileTerms.js";
export { f1r3nodeTransferTerm } from "./transferTerm.js";
