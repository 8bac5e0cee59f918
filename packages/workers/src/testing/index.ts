export { hostileKinds, hostileTerms } from "./hostileTerms.js";
