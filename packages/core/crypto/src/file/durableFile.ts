import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Writes a new file; when this returns, a loss of power cannot remove it any more. An earlier loss of power may leave a
 * part of it.
 *
 * @throws the file system's error, for example `EEXIST`
 */
export function writeNewFile(path: string, text: string, mode: number): void {
  writeSynced(path, text, { mode, flag: "wx" });
  syncFolderOf(path);
}

/** Half a file would keep the next try from writing a whole one. */
function removing<T>(path: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}

/**
 * As {@link writeNewFile}, in place of what was there: at every moment, before and after a loss of power, the old
 * file is there or the whole new one.
 *
 * @throws the file system's error
 */
export function replaceFile(path: string, text: string, mode: number): void {
  const unfinished = `${path}.new`;
  // An interrupted process may have left one, with another mode.
  rmSync(unfinished, { force: true });
  writeSynced(unfinished, text, { mode, flag: "wx" });
  renameSync(unfinished, path);
  syncFolderOf(path);
}

function writeSynced(
  path: string,
  text: string,
  { mode, flag }: { readonly mode: number; readonly flag: string },
): void {
  const file = openSync(path, flag, mode);
  try {
    removing(path, () => {
      writeFileSync(file, text);
      fsyncSync(file);
    });
  } finally {
    closeSync(file);
  }
}

/** If a file's name is lost, all its synced content is lost with it. */
function syncFolderOf(path: string): void {
  // There is no such thing, and names last without it.
  if (process.platform === "win32") return;
  const folder = openSync(dirname(path), "r");
  try {
    fsyncSync(folder);
  } catch (error) {
    // Some file systems have no way to do it; a disk that fails is another matter.
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code !== "EINVAL" && code !== "ENOTSUP") throw error;
  } finally {
    closeSync(folder);
  }
}
