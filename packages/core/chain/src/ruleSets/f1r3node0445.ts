import { byOwnScore } from "../forkChoice/f1r3node/rankTips.js";
import { ignorePriorRejections } from "../merge/f1r3node/priorRejections.js";
import type { F1r3nodeRuleSet } from "./F1r3nodeRuleSet.js";

/** Version 0.4.45 of f1r3node, and branch dev up to 8b895792f. @spec 61 §24 */
export const f1r3node0445: F1r3nodeRuleSet = {
  name: "f1r3node-0.4.45",
  blockVersions: [1n],
  rankTips: byOwnScore,
  countPriorRejections: ignorePriorRejections,
};
