export { executorHere } from "./executorHere.js";
export { hostileKinds, hostileTerms } from "./hostileTerms.js";
