import type { F1r3nodeRuleSet } from "./F1r3nodeRuleSet.js";
import { f1r3node0445 } from "./f1r3node0445.js";
import { f1r3nodePriorRejections } from "./f1r3nodePriorRejections.js";

/** All rule sets of f1r3node's networks. @spec 61 §24 */
export const f1r3nodeRuleSets: readonly F1r3nodeRuleSet[] = [f1r3node0445, f1r3nodePriorRejections];

/** The rule set of a name; `undefined` where there is none. */
export function f1r3nodeRuleSetNamed(name: string): F1r3nodeRuleSet | undefined {
  return f1r3nodeRuleSets.find((ruleSet) => ruleSet.name === name);
}
