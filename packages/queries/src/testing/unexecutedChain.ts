import { type BlockExecution, Chain, unlimitedParents } from "@vedette/chain";
import { rnodeScala } from "@vedette/protocol";
import type { Store } from "@vedette/store";

/** A chain whose blocks nobody executes: they are put there. */
export function unexecutedChain(store: Store): Chain {
  return new Chain({
    store,
    rules: {
      dialect: rnodeScala,
      shardName: "root",
      maximumParents: unlimitedParents,
      maximumParentDepth: undefined,
      minimumPhloPrice: 1n,
      faultToleranceThreshold: 0,
      finalizationRate: 1,
      emptyStateHash: new Uint8Array(32),
    },
    execution: undefined as unknown as BlockExecution,
    nowMs: Date.now,
  });
}
