export type { Target } from "./driver/Target.js";
export { loadTarget, targetNames } from "./targets.js";
