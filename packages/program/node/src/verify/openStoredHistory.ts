import { join } from "node:path";
import { BlockTable, StoredBlocks, type StoredVerdict } from "@vedette/chain";
import type { Config } from "@vedette/config";
import { withBlockBytes } from "@vedette/executor";
import { type ExecutorClient, type ExecutorPlace, startExecutorThread } from "@vedette/executor/threads";
import { LmdbStore, OverlayStore, tablesOf } from "@vedette/store";
import { dialectOf, ruleSetOf } from "../dialect/dialectOf.js";
import { requireDialect, requireRuleSet } from "../machine/dataDirectory.js";
import { chainRulesOf } from "../start/chainRules.js";

/** The history that a data directory has, to be judged again. */
export interface StoredHistory extends AsyncDisposable {
  /** @throws {StoreError} */
  judge(hash: Uint8Array): Promise<StoredVerdict>;
}

/**
 * Opens a data directory, with a node that may be running, to execute its blocks again on the stored states. Every node
 * and leaf of these is compared with its hash. Nothing in the directory is changed; new states are held in memory until
 * this is closed.
 *
 * @param start begins the thread that executes
 * @throws {StoreError} not there, or of another format; {DataDirectoryError} of another dialect or rule set than is configured
 * @spec 40 §20.2
 */
export async function openStoredHistory(
  dataDir: string,
  config: Config,
  start: (place: ExecutorPlace) => ExecutorClient = startExecutorThread,
): Promise<StoredHistory> {
  const dialect = dialectOf(config);
  requireDialect(dataDir, dialect.protocol.name);
  requireRuleSet(dataDir, ruleSetOf(config));
  const store = new OverlayStore(new LmdbStore(join(dataDir, "chain"), { tables: tablesOf("chain"), readOnly: true }));
  const { name, blockForm } = dialect.protocol;
  const thread = start({ stateDirectory: join(dataDir, "state"), dialect: name, isScratch: true });
  const close = async () => {
    await thread[Symbol.asyncDispose]();
    await store.close();
  };
  try {
    const stored = new BlockTable(store, { form: blockForm });
    const { execution, chain } = dialect.consensus({
      ...{ config, store, executor: withBlockBytes(thread, stored), listener: {} },
      provideState: async () => undefined,
    });
    const rules = chainRulesOf(config, await thread.makeEmptyState());
    const blocks = new StoredBlocks({ store, rules, execution, ...chain, nowMs: Date.now });
    return { judge: (hash) => blocks.judge(hash), [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}
