import type { Config, DialectName } from "@vedette/config";
import type { NodeDialect } from "./NodeDialect.js";
import { rustDialect } from "./rustDialect.js";
import { scalaDialect } from "./scalaDialect.js";

const dialects: Readonly<Record<DialectName, NodeDialect>> = {
  "rnode-scala": scalaDialect,
  "rnode-rust": rustDialect,
};

/** The dialect of the configured network. @spec 50 §5.3 */
export function dialectOf(config: Config): NodeDialect {
  return dialects[config.dialect];
}
