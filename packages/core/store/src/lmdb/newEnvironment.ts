import { closeSync, existsSync, fsyncSync, openSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { requireFreeSpace } from "../freeSpace/TransactionSpaceCheck.js";
import type { TableName } from "../tables.js";
import { formatEntries } from "./formatMark.js";
import { databaseOptions, dataFile, formatTable, unfinishedFile, unfinishedLock } from "./layout.js";
import { open } from "./library.js";

/**
 * Makes the file of an environment that has all tables and nothing in them. It is made beside its place and moved
 * there when it is whole and on disk, so that neither a kill nor a loss of power leaves a part of it.
 *
 * @throws the errors of LMDB and the file system
 */
export function makeEnvironment(path: string, names: readonly TableName[]): void {
  const unfinished = join(path, unfinishedFile);
  removeUnfinished(path);
  requireFreeSpace(path);
  makeLock(join(path, unfinishedLock));
  const environment = open({
    ...{ path: unfinished, noSubdir: true, ...databaseOptions },
    ...{ maxDbs: 64, overlappingSync: false },
  });
  environment.transactionSync(() => {
    const mark = environment.openDB({ name: formatTable, ...databaseOptions });
    for (const [key, value] of formatEntries()) mark.putSync(key, value);
    for (const name of names) environment.openDB({ name, ...databaseOptions });
  });
  // Closed when this comes back, since nothing of it is asynchronous.
  void environment.close();
  renameSync(unfinished, join(path, dataFile));
  removeUnfinished(path);
}

/**
 * Makes an environment's lock file, in full size. The library makes one with a hole, which it writes to through the
 * memory: where the disk has no room for that, the system ends the process.
 *
 * @throws the file system's error if it has no room; other faults are left to the library
 */
export function makeLock(file: string): void {
  if (existsSync(file)) return;
  try {
    writeFileSync(file, new Uint8Array(lockBytes), { flag: "wx" });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code !== "ENOSPC" && code !== "EDQUOT") return;
    rmSync(file, { force: true });
    throw error;
  }
}

/** At least what the library makes: of 126 readers. It takes a longer one for one of more readers. */
const lockBytes = 3 * 4096;

/** Removes the files of an earlier start that was not finished. */
function removeUnfinished(path: string): void {
  for (const file of [unfinishedFile, unfinishedLock]) rmSync(join(path, file), { force: true });
}

/**
 * Puts the names in a folder on disk, its own name, and those of the folders above, as far as that is possible: if a
 * file's name is lost, all its synced content is lost with it.
 *
 * @throws the file system's error for the folder itself
 */
export function syncNames(path: string): void {
  // Windows cannot sync a folder, and keeps names without that.
  if (process.platform === "win32") return;
  let folder = realpathSync(path);
  syncFolder(folder);
  while (folder !== dirname(folder)) {
    folder = dirname(folder);
    try {
      syncFolder(folder);
    } catch {
      // This user may not open the folder; another user made it long before.
    }
  }
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } catch (error) {
    // Some file systems have no way to do it; a disk that fails is another matter.
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code !== "EINVAL" && code !== "ENOTSUP") throw error;
  } finally {
    closeSync(descriptor);
  }
}
