import { type ChainRules, unlimitedParents } from "@vedette/chain";
import type { Dialect } from "@vedette/protocol";
import type { RecordedNetwork } from "./RecordedChain.js";

/** The rules of a recorded network, as far as they judge what happened. */
export function replayRules(network: RecordedNetwork, dialect: Dialect, emptyStateHash: Uint8Array): ChainRules {
  return {
    dialect,
    shardName: network.shard ?? "root",
    maximumParents: network.maxNumberOfParents ?? unlimitedParents,
    maximumParentDepth: undefined,
    minimumPhloPrice: 0n,
    faultToleranceThreshold: network.faultToleranceThreshold ?? 0,
    finalizationRate: 1,
    emptyStateHash,
  };
}
