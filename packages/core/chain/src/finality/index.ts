// Whether blocks are final, from blocks at hand alone: nothing here needs a store, or a machine.
export { ChainError } from "../ChainError.js";
export { BlockMetadata } from "../dag/BlockMetadata.js";
export { BondSet } from "../dag/BondSet.js";
export { commitmentTo, readEvidence } from "../evidence/evidenceBytes.js";
export { takesEffect } from "../outcome/takesEffect.js";
export { isKnownVersion, unknownRulesText } from "../ruleSets/unknownRules.js";
export { neededClique } from "./f1r3node/neededClique.js";
export { smallestClique } from "./faultTolerance.js";
export { JustifiedFinality } from "./JustifiedFinality.js";
