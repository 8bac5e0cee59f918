import { type FloorRuleSet, f1r3node0445, floorRuleSetNamed, floorRuleSets } from "@vedette/chain";
import { type Config, ConfigError } from "@vedette/config";

/** The configured rule set of an f1r3node network. @throws {ConfigError} for an unknown name @spec 61 §24 */
export function floorRuleSetOf(config: Config): FloorRuleSet {
  const key = "casper.rule-set";
  const name = config[key] ?? f1r3node0445.name;
  const ruleSet = floorRuleSetNamed(name);
  if (ruleSet !== undefined) return ruleSet;
  const known = floorRuleSets.map((one) => one.name).join(", ");
  throw new ConfigError({
    code: "unusable",
    problems: [{ code: "outOfRange", key, text: `there is no rule set "${name}"; known: ${known}` }],
  });
}
