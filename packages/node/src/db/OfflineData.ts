import { existsSync } from "node:fs";
import { join } from "node:path";
import { BlockTable, Dag } from "@vedette/chain";
import { LmdbStore, StoreError, tablesOf } from "@vedette/store";
import { DataDirectoryError, lockDirectory } from "../machine/dataDirectory.js";

/** A data directory without its node; or beside it, for reading. */
export interface OfflineData extends AsyncDisposable {
  readonly path: string;
  readonly chain: LmdbStore;
  readonly state: LmdbStore;
  readonly dag: Dag;
  readonly blocks: BlockTable;
}

/** What is to be done with a directory. */
export interface OfflineUse {
  /** Nothing is touched where it is not to be written. */
  readonly isWritten: boolean;
  /** The network that the directory is of. */
  readonly shard: string;
}

/** Says how far a long piece of work is. @param total `undefined` where nobody can tell */
export type TellProgress = (stage: string, done: number, total: number | undefined) => void;

/**
 * Takes a data directory that a node has left.
 *
 * @throws {DataDirectoryError} in use, or of another network; {StoreError} not there, or of another format
 */
export async function openOffline(path: string, { isWritten, shard }: OfflineUse): Promise<OfflineData> {
  for (const name of ["chain", "state"])
    if (!existsSync(join(path, name, "data.mdb"))) throw new StoreError({ code: "missing", path: join(path, name) });
  const lock = await lockDirectory(path);
  const opened: AsyncDisposable[] = [{ [Symbol.asyncDispose]: () => new Promise((done) => lock.close(() => done())) }];
  const close = async () => {
    for (const one of opened.toReversed()) await one[Symbol.asyncDispose]();
  };
  try {
    const open = (name: "chain" | "state", readOnly: boolean) => {
      const store = new LmdbStore(join(path, name), { tables: tablesOf(name), readOnly });
      opened.push(store);
      return store;
    };
    // Both are looked at before one is opened for writing, which marks it as this version's.
    for (const name of ["chain", "state"] as const) await open(name, true).close();
    await checkShard(path, shard);
    const [chain, state] = [open("chain", !isWritten), open("state", !isWritten)];
    const data = { path, chain, state, dag: new Dag(chain), blocks: new BlockTable(chain) };
    return { ...data, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function checkShard(path: string, expected: string): Promise<void> {
  await using store = new LmdbStore(join(path, "chain"), { tables: tablesOf("chain"), readOnly: true });
  const shard = new BlockTable(store).approvedBlock()?.candidate.block.shardId;
  if (shard !== undefined && shard !== expected)
    throw new DataDirectoryError({ code: "otherShard", path, shard, expected });
}
