import type { Config, DialectName } from "@vedette/config";
import { f1r3nodeDialect } from "./f1r3nodeDialect.js";
import type { NodeDialect } from "./NodeDialect.js";
import { rnodeDialect } from "./rnodeDialect.js";

const dialects: Readonly<Record<DialectName, NodeDialect>> = {
  rnode: rnodeDialect,
  f1r3node: f1r3nodeDialect,
};

/** The dialect of the configured network. @spec 50 §5.3 */
export function dialectOf(config: Config): NodeDialect {
  return dialects[config.dialect];
}

/** Name of the rule set that judges the configured network; `undefined`: its dialect has none. @throws {ConfigError} @spec 61 §24 */
export function ruleSetOf(config: Config): string | undefined {
  return dialectOf(config).ruleSet(config);
}
