export type { DoubledBlock } from "./Evidence.js";
export { LightError, type LightFailure } from "./LightError.js";
export { f1r3nodeRules, type LightRules, rnodeRules } from "./LightRules.js";
export { type LightUpdate, maxUpdateBlocks, maxUpdateBytes } from "./LightUpdate.js";
export { makeUpdate, type UpdateSource } from "./makeUpdate.js";
export { readTrustedBlock, type TrustedBlock, trustedBlockOf } from "./TrustedBlock.js";
export { type TrustAge, type VerifiedUpdate, verifyUpdate } from "./verifyUpdate.js";
