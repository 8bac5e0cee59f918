import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorText } from "@vedette/errors";
import { SnapshotError } from "../SnapshotError.js";
import type { SnapshotStorage, StoredFile } from "./SnapshotStorage.js";

/** Prefix of files that are being written; a file that an interrupted process left has no reader. */
const unfinished = ".unfinished-";

/** Snapshots in a folder of this machine, or of one that is mounted. */
export class FolderStorage implements SnapshotStorage {
  readonly label: string;

  constructor(path: string) {
    this.label = path;
  }

  put(name: string, bytes: Uint8Array): Promise<void> {
    return this.#try(async () => {
      const path = join(this.label, name);
      await mkdir(dirname(path), { recursive: true });
      const made = join(dirname(path), `${unfinished}${randomUUID()}`);
      try {
        await using file = await open(made, "wx");
        await file.writeFile(bytes);
        await file.sync();
      } catch (error) {
        await rm(made, { force: true });
        throw error;
      }
      await rename(made, path);
    });
  }

  get(name: string, maxBytes: number, signal?: AbortSignal): Promise<Uint8Array | undefined> {
    return this.#try(async () => {
      const path = join(this.label, name);
      if ((await stat(path)).size > maxBytes) return undefined;
      return readFile(path, signal === undefined ? {} : { signal });
    }, undefined);
  }

  has(name: string): Promise<boolean> {
    return this.#try(async () => (await stat(join(this.label, name))).isFile(), false);
  }

  list(beginning: string): Promise<readonly StoredFile[]> {
    return this.#try(async () => {
      const entries = await readdir(join(this.label, dirname(`${beginning}_`)), {
        recursive: true,
        withFileTypes: true,
      });
      const found: StoredFile[] = [];
      for (const entry of entries) {
        if (!entry.isFile() || entry.name.startsWith(unfinished)) continue;
        const path = join(entry.parentPath, entry.name);
        const name = path.slice(join(this.label, "/").length).replaceAll("\\", "/");
        if (!name.startsWith(beginning)) continue;
        const { size, mtimeMs } = await stat(path);
        found.push({ name, bytes: size, changedMs: mtimeMs });
      }
      return found;
    }, []);
  }

  delete(name: string): Promise<void> {
    return this.#try(() => rm(join(this.label, name), { force: true }));
  }

  /** @param absent the result for a missing file or folder; without it, that is a fault */
  async #try<T>(work: () => Promise<T>, ...absent: [T] | []): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const isAbsent = error instanceof Error && "code" in error && error.code === "ENOENT";
      if (isAbsent && absent.length > 0) return absent[0] as T;
      throw new SnapshotError({ code: "placeUnusable", place: this.label, reason: errorText(error) }, { cause: error });
    }
  }
}
