import { recordedRejections } from "../merge/f1r3node/priorRejections.js";
import type { F1r3nodeRuleSet } from "./F1r3nodeRuleSet.js";
import { f1r3node0445 } from "./f1r3node0445.js";

/**
 * Version 0.4.45 with merges in which a deploy that was given up before has priority (upstream's branch
 * key-contention-starvation). Made from its description; no answers of such a node were recorded.
 *
 * @spec 61 §24.1
 */
export const f1r3nodePriorRejections: F1r3nodeRuleSet = {
  ...f1r3node0445,
  name: "f1r3node-prior-rejections",
  countPriorRejections: recordedRejections,
};

/** All rule sets of f1r3node's networks. @spec 61 §24 */
export const f1r3nodeRuleSets: readonly F1r3nodeRuleSet[] = [f1r3node0445, f1r3nodePriorRejections];

/** The rule set of a name; `undefined` where there is none. */
export function f1r3nodeRuleSetNamed(name: string): F1r3nodeRuleSet | undefined {
  return f1r3nodeRuleSets.find((ruleSet) => ruleSet.name === name);
}
