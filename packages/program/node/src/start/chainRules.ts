import type { ChainRules } from "@vedette/chain";
import type { Config } from "@vedette/config";
import { dialectOf } from "../dialect/dialectOf.js";

/** The rules of the configured network. @spec 40 §13 */
export function chainRulesOf(config: Config, emptyStateHash: Uint8Array): ChainRules {
  return {
    dialect: dialectOf(config).protocol,
    shardName: config["casper.shard-name"],
    maximumParents: config["casper.max-number-of-parents"],
    maximumParentDepth: config["casper.max-parent-depth"],
    minimumPhloPrice: config["casper.min-phlo-price"],
    faultToleranceThreshold: config["casper.fault-tolerance-threshold"],
    finalizationRate: config["casper.finalization-rate"],
    emptyStateHash,
  };
}
