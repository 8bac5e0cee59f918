import { join } from "node:path";
import { BlockTable, Chain } from "@vedette/chain";
import type { Config } from "@vedette/config";
import { chainRulesOf, makeFolders } from "@vedette/node";
import { LmdbStore, tablesOf } from "@vedette/store";
import { type Executor, executionOf, startExecutorThread } from "@vedette/workers";

/** A chain that has not begun. */
export interface EmptyChain {
  readonly executor: Executor;
  readonly chain: Chain;
  readonly emptyStateHash: Uint8Array;
}

/** Opens the stores of a chain in an empty folder, has its first block put there, and closes them. */
export async function onEmptyChain(config: Config, path: string, use: (empty: EmptyChain) => Promise<void>) {
  const [state, blocks] = [join(path, "state"), join(path, "chain")];
  makeFolders(state);
  makeFolders(blocks);
  await using executor = startExecutorThread({ stateDirectory: state });
  const emptyStateHash = await executor.makeEmptyState();
  await using store = new LmdbStore(blocks, { tables: tablesOf("chain") });
  const execution = executionOf(executor, new BlockTable(store));
  const rules = chainRulesOf(config, emptyStateHash);
  await use({ executor, emptyStateHash, chain: new Chain({ store, rules, execution, nowMs: Date.now }) });
}
