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
