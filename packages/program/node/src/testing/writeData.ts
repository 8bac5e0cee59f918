import type { Dialect } from "@vedette/protocol";
import { LmdbStore, type Store, tablesOf } from "@vedette/store";
import { openDataDirectory } from "../machine/dataDirectory.js";

/** The parts that a node has in memory. */
export interface DataInMemory {
  readonly chain: Store;
  readonly state: Store;
}

/** Writes what a node has in memory into a data directory, as it would have left it there. */
export async function writeData(path: string, dialect: Dialect["name"], { chain, state }: DataInMemory): Promise<void> {
  await using directory = await openDataDirectory(path, dialect);
  for (const [name, from] of [
    ["chain", chain],
    ["state", state],
  ] as const) {
    await using store = new LmdbStore(directory[name], { tables: tablesOf(name) });
    store.write((tables) => {
      for (const table of tablesOf(name))
        for (const [key, value] of from.table(table).range()) tables(table).put(key, value);
    });
  }
}
