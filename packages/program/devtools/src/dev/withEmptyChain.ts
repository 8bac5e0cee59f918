import { BlockTable, Chain } from "@vedette/chain";
import type { Config } from "@vedette/config";
import { withBlockBytes } from "@vedette/executor";
import type { ExecutorClient } from "@vedette/executor/threads";
import { chainRulesOf, dialectOf } from "@vedette/node";
import { LmdbStore, tablesOf } from "@vedette/store";

/** Where a chain is to begin. */
export interface EmptyChainLocation {
  readonly config: Config;
  readonly executor: ExecutorClient;
  readonly emptyStateHash: Uint8Array;
  /** Of its blocks; it exists, and is empty. */
  readonly chainDirectory: string;
}

/** Opens a chain that has not begun, has its first block put there, and closes it. */
export async function withEmptyChain(place: EmptyChainLocation, use: (chain: Chain) => Promise<void>): Promise<void> {
  const { config, executor, emptyStateHash, chainDirectory } = place;
  await using store = new LmdbStore(chainDirectory, { tables: tablesOf("chain") });
  const dialect = dialectOf(config);
  const blocks = new BlockTable(store, { form: dialect.protocol.blockForm });
  const { execution, chain } = dialect.consensus({
    ...{ config, store, executor: withBlockBytes(executor, blocks), listener: {} },
    provideState: async () => undefined,
  });
  const rules = chainRulesOf(config, emptyStateHash);
  await use(new Chain({ store, rules, execution, nowMs: Date.now, ...chain }));
}
