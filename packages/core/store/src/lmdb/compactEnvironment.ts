import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { StoreError } from "../StoreError.js";
import { tablesOf } from "../tables.js";
import { LmdbStore } from "./LmdbStore.js";
import { dataFile, lockFile } from "./layout.js";
import { syncNames } from "./newEnvironment.js";
import { storeFailure } from "./storeFailure.js";

/** The size of a file before and after, in bytes. */
export interface Compaction {
  readonly beforeBytes: number;
  readonly afterBytes: number;
}

/**
 * Rewrites an environment without its free pages, beside its place, and moves it there when it is whole and on disk: a
 * kill leaves the one or the other, and perhaps a folder `….compact` that the next compaction removes.
 *
 * No other process may have the environment open.
 *
 * @throws {StoreError} `noRoom` where both do not fit on the disk; nothing has changed then
 */
export async function compactEnvironment(path: string, environment: "state" | "chain"): Promise<Compaction> {
  const beside = `${path}.compact`;
  try {
    rmSync(beside, { recursive: true, force: true });
    const beforeBytes = statSync(join(path, dataFile)).size;
    {
      await using store = new LmdbStore(path, { tables: tablesOf(environment), readOnly: true });
      const { fileBytes, freeBytes } = store.usage();
      const { bavail, bsize } = statfsSync(path);
      const [neededBytes, roomBytes] = [fileBytes - freeBytes, bavail * bsize];
      if (roomBytes < neededBytes) throw new StoreError({ code: "noRoom", path, neededBytes, roomBytes });
      mkdirSync(beside);
      await store.copyTo(beside);
    }
    const copy = join(beside, dataFile);
    syncFile(copy);
    const { size: afterBytes } = statSync(copy);
    // The lock file lists transactions that the copy does not have.
    rmSync(join(path, lockFile), { force: true });
    renameSync(copy, join(path, dataFile));
    syncNames(path);
    rmSync(beside, { recursive: true, force: true });
    return { beforeBytes, afterBytes };
  } catch (error) {
    rmSync(beside, { recursive: true, force: true });
    throw storeFailure(path, error);
  }
}

function syncFile(file: string): void {
  const descriptor = openSync(file, "r+");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
