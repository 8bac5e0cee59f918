import type { FloorRuleSet } from "./FloorRuleSet.js";
import { f1r3node0445 } from "./f1r3node0445.js";
import { f1r3nodePriorRejections } from "./f1r3nodePriorRejections.js";

/** All rule sets of f1r3node's networks. @spec 61 §24 */
export const floorRuleSets: readonly FloorRuleSet[] = [f1r3node0445, f1r3nodePriorRejections];

/** The rule set of a name; `undefined` where there is none. */
export function floorRuleSetNamed(name: string): FloorRuleSet | undefined {
  return floorRuleSets.find((ruleSet) => ruleSet.name === name);
}
