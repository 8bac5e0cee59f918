import {
  type BlockExecution,
  Chain,
  type ChainOptions,
  f1r3node0445,
  genesisFirst,
  StoredFloorCache,
  statedFloors,
  unlimitedParents,
} from "@vedette/chain";
import { type Dialect, rnode } from "@vedette/protocol";
import type { Store } from "@vedette/store";

/** Makes a chain of blocks that are stored without being executed. */
export function unexecutedChain(store: Store, dialect: Dialect = rnode): Chain {
  return new Chain({
    store,
    ...consensus[dialect.name](store),
    rules: {
      dialect,
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

const consensus: {
  readonly [name in Dialect["name"]]: (store: Store) => Pick<ChainOptions, "consensus" | "firstMessage">;
} = {
  rnode: () => ({}),
  f1r3node: (store) => ({
    firstMessage: genesisFirst,
    consensus: (parts) =>
      statedFloors(parts, {
        ruleSet: f1r3node0445,
        cache: new StoredFloorCache(store),
        tolerance: async () => 0n,
        epochLength: 10n,
        committee: () => undefined,
      }),
  }),
};
