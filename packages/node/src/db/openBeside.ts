import { existsSync } from "node:fs";
import { join } from "node:path";
import { BlockTable, Dag } from "@vedette/chain";
import { LmdbStore, StoreError, tablesOf } from "@vedette/store";
import { lockDirectory } from "../machine/dataDirectory.js";
import { makeFolders } from "../machine/makeFolders.js";
import type { OfflineData } from "./OfflineData.js";

/**
 * Opens a data directory for reading, whether its node runs or not.
 *
 * @throws {StoreError} not there, or of another format
 */
export async function openBeside(path: string): Promise<OfflineData> {
  for (const name of ["chain", "state"])
    if (!existsSync(join(path, name, "data.mdb"))) throw new StoreError({ code: "missing", path: join(path, name) });
  return openBoth(path, true, []);
}

/**
 * Makes a data directory where there is none, and takes it for this process.
 *
 * @throws {DataDirectoryError} in use; {StoreError} of another format, foreign
 */
export async function openForFilling(path: string): Promise<OfflineData> {
  makeFolders(join(path, "state"));
  makeFolders(join(path, "chain"));
  const lock = await lockDirectory(path);
  return openBoth(path, false, [{ [Symbol.asyncDispose]: () => new Promise((done) => lock.close(() => done())) }]);
}

async function openBoth(path: string, readOnly: boolean, opened: AsyncDisposable[]): Promise<OfflineData> {
  const close = async () => {
    for (const one of opened.toReversed()) await one[Symbol.asyncDispose]();
  };
  try {
    const open = (name: "chain" | "state") => {
      const store = new LmdbStore(join(path, name), { tables: tablesOf(name), readOnly });
      opened.push(store);
      return store;
    };
    const [chain, state] = [open("chain"), open("state")];
    const data = { path, chain, state, dag: new Dag(chain), blocks: new BlockTable(chain) };
    return { ...data, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}
