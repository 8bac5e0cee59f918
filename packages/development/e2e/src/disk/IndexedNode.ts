import { join } from "node:path";
import { toHex } from "@vedette/crypto";
import type { QueryReaders } from "@vedette/executor/threads";
import { openDataDirectory } from "@vedette/node/machine";
import { rnode } from "@vedette/protocol";
import { AccountIndex, BlockQueries } from "@vedette/queries";
import { FakeEventChain } from "@vedette/queries/eventsTesting";
import { EventsNode } from "@vedette/server/testing";
import { LmdbStore, tablesOf } from "@vedette/store";
import { completeIndex } from "./completeIndex.js";
import type { OnDurable } from "./diskWork.js";

const blocks = 200;
/** The index is made so often, and taken away in between, before the work is done. */
const times = 30;
/** So that it takes several transactions to empty it. */
const deletedAtOnce = 64;

/** These blocks are never executed, so their transfers are unknown. */
export const readersWithoutTransfers = {
  call: async (_method: string, { blocks: asked }: { readonly blocks: readonly unknown[] }) =>
    asked.map(() => ({ deploys: [], systemDeploys: [] })),
} as unknown as QueryReaders;

/**
 * Puts a long chain with its event log into a data directory, then makes the index of accounts again and again.
 *
 * @param promises the promises of earlier runs
 * @throws TypeError when something of it is lost, or an index that calls itself complete is not
 */
export async function workOnIndex(path: string, promises: readonly string[], promised: OnDurable): Promise<void> {
  await using directory = await openDataDirectory(path, rnode.name);
  await using store = new LmdbStore(join(directory.path, "chain"), { tables: tablesOf("chain") });
  await using node = await EventsNode.start({ store });
  const { chain } = node;
  const made = new FakeEventChain();
  made.grow(blocks);
  const known = new Set(made.blocks.flatMap(({ hash }) => (chain.dag.has(hash) ? [`block ${toHex(hash)}`] : [])));
  for (const promise of promises)
    if (promise !== "index" && !known.has(promise)) throw new TypeError(`${promise} is lost`);
  promised("ready");
  for (const block of made.blocks) {
    if (chain.dag.has(block.hash)) continue;
    await node.take([block]);
    promised(`block ${toHex(block.hash)}`);
  }
  const index = new AccountIndex(store, deletedAtOnce);
  for (let time = 0; time < times; time += 1) {
    await completeIndex({ store, chain, blocks: new BlockQueries(chain, 50), readers: readersWithoutTransfers });
    const rows = store.table("historyOfAddress").count();
    if (rows !== blocks) throw new TypeError(`the index has ${rows} rows of ${blocks} when it calls itself complete`);
    promised("index");
    while (index.clearSome()) await new Promise((resolve) => setImmediate(resolve));
  }
}
