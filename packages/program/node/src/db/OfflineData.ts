import { existsSync } from "node:fs";
import { join } from "node:path";
import { BlockTable, Dag } from "@vedette/chain";
import { loadForms } from "@vedette/executor";
import type { Dialect } from "@vedette/protocol";
import { LmdbStore, StoreError, tablesOf } from "@vedette/store";
import type { SpaceDialect } from "@vedette/tuplespace";
import {
  acquireDirectoryLock,
  DataDirectoryError,
  dialectOfData,
  openDataDirectory,
  ruleSetOfData,
} from "../machine/dataDirectory.js";

/** A data directory without its node; or beside it, for reading. */
export interface OfflineData extends AsyncDisposable {
  readonly path: string;
  /** The dialect of the stored blocks. */
  readonly dialect: Dialect;
  /** That judges it; `undefined`: it names none. @spec 61 §24 */
  readonly ruleSet: string | undefined;
  /** That of the states, by the dialect. */
  readonly form: SpaceDialect;
  readonly chain: LmdbStore;
  readonly state: LmdbStore;
  readonly dag: Dag;
  readonly blocks: BlockTable;
}

/** How a directory is opened. */
export interface OfflineOptions {
  /** Nothing is touched where it is not to be written. */
  readonly isWritten: boolean;
  /** The network that the directory is of. */
  readonly shard: string;
}

/** Reports how far a long piece of work is. @param total `undefined` where the total is unknown */
export type ReportProgress = (stage: string, done: number, total: number | undefined) => void;

/**
 * Opens the data directory of a stopped node.
 *
 * @throws {DataDirectoryError} in use, of another network, or of an unknown dialect; {StoreError} not there,
 *   or of another format
 */
export async function openOffline(path: string, { isWritten, shard }: OfflineOptions): Promise<OfflineData> {
  requireStores(path);
  const taken = await acquireDirectoryLock(path);
  return openStores(path, !isWritten, {
    taken,
    // Both are looked at before one is opened for writing, which marks it as this version's.
    before: async () => {
      for (const name of storeNames)
        await new LmdbStore(join(path, name), { tables: tablesOf(name), readOnly: true, looksThrough: true }).close();
      await requireShard(path, shard);
    },
  });
}

/**
 * Opens a data directory for reading, whether its node runs or not.
 *
 * @throws {DataDirectoryError} of an unknown dialect; {StoreError} not there, or of another format
 */
export async function openReadOnly(path: string): Promise<OfflineData> {
  requireStores(path);
  return openStores(path, true);
}

/**
 * Makes a data directory where none is, and locks it for this process.
 *
 * @param dialect of the chain that it is for
 * @param ruleSet that judges the chain; `undefined`: its dialect has no rule sets
 * @throws {DataDirectoryError} in use, or of another dialect or rule set; {StoreError} of another format, foreign
 */
export async function openForFilling(path: string, dialect: Dialect["name"], ruleSet?: string): Promise<OfflineData> {
  return openStores(path, false, { taken: await openDataDirectory(path, dialect, ruleSet) });
}

/** The environments of a data directory. */
export const storeNames = ["chain", "state"] as const;

/** @throws {StoreError} `missing`; {DataDirectoryError} `unknownDialect` */
export function requireStores(path: string): void {
  for (const name of storeNames)
    if (!existsSync(join(path, name, "data.mdb"))) throw new StoreError({ code: "missing", path: join(path, name) });
  dialectOfData(path);
}

function openStore(path: string, name: (typeof storeNames)[number], readOnly: boolean): LmdbStore {
  return new LmdbStore(join(path, name), { tables: tablesOf(name), readOnly, looksThrough: false });
}

/** @param taken is given back when the data are closed, or cannot be opened */
async function openStores(
  path: string,
  readOnly: boolean,
  { taken, before }: { readonly taken?: AsyncDisposable; readonly before?: () => Promise<void> } = {},
): Promise<OfflineData> {
  const opened: AsyncDisposable[] = taken === undefined ? [] : [taken];
  const close = async () => {
    for (const one of opened.toReversed()) await one[Symbol.asyncDispose]();
  };
  try {
    await before?.();
    const [chain, state] = storeNames.map((name) => {
      const store = openStore(path, name, readOnly);
      opened.push(store);
      return store;
    }) as [LmdbStore, LmdbStore];
    const dialect = dialectOfData(path);
    const { space: form } = await loadForms(dialect.name);
    const blocks = new BlockTable(chain, { form: dialect.blockForm });
    const ruleSet = ruleSetOfData(path);
    return { path, dialect, ruleSet, form, chain, state, dag: new Dag(chain), blocks, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @throws {DataDirectoryError} `otherShard` */
export async function requireShard(path: string, expected: string): Promise<void> {
  await using store = openStore(path, "chain", true);
  const form = dialectOfData(path).blockForm;
  const shard = new BlockTable(store, { form }).approvedBlock()?.candidate.block.shardId;
  if (shard !== undefined && shard !== expected)
    throw new DataDirectoryError({ code: "otherShard", path, shard, expected });
}
