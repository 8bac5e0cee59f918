import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorText } from "@vedette/errors";
import { isDirectoryLocked } from "@vedette/node/machine";
import { DevError } from "./DevError.js";

const prefix = "vedette-dev-";
/** A file system in memory, where the system has one. */
const memoryPath = "/dev/shm";
const settingsFile = "dev.json";
/** The parts of a data directory that are the chain, beside its states. */
const chainFolder = "chain";
const snapshotsFolder = "snapshots";

/** Where a chain for development is kept: a directory of the user's, or one in memory that is removed with it. */
export class DevFolder implements Disposable {
  readonly path: string;
  readonly isKept: boolean;

  private constructor(path: string, isKept: boolean) {
    this.path = path;
    this.isKept = isKept;
  }

  /** @param path the user's, which is made where it is not there; without: in memory @throws {DevError} `notUsable` */
  static async open(path: string | undefined): Promise<DevFolder> {
    const parent = existsSync(memoryPath) ? memoryPath : tmpdir();
    try {
      if (path !== undefined) {
        mkdirSync(path, { recursive: true, mode: 0o700 });
        return new DevFolder(path, true);
      }
      await removeLeftovers(parent);
      return new DevFolder(mkdtempSync(join(parent, prefix)), false);
    } catch (cause) {
      throw new DevError({ code: "notUsable", path: path ?? parent, reason: errorText(cause) }, { cause });
    }
  }

  /** Whether there is a chain. */
  get hasChain(): boolean {
    return existsSync(join(this.path, settingsFile));
  }

  /** Compares what the chain here was made with. @throws {DevError} `otherChain` */
  requireMadeWith(settings: string): void {
    if (readFileSync(join(this.path, settingsFile), "utf8") !== settings)
      throw new DevError({ code: "otherChain", path: this.path });
  }

  /** Notes that the chain is here whole. */
  noteMadeWith(settings: string): void {
    writeFileSync(join(this.path, settingsFile), settings, { mode: 0o600 });
  }

  /** Copies the chain as it is at this moment. To be called between two transactions, while no thread writes it. */
  takeSnapshot(id: number): void {
    const to = this.#snapshotPath(id);
    rmSync(to, { recursive: true, force: true });
    cpSync(join(this.path, chainFolder), to, { recursive: true });
  }

  /** Replaces the chain by a copy. No process or thread may have the chain open. */
  revertTo(id: number): void {
    const chain = join(this.path, chainFolder);
    rmSync(chain, { recursive: true, force: true });
    cpSync(this.#snapshotPath(id), chain, { recursive: true });
  }

  /** The copies that there are, in ascending order. */
  snapshots(): readonly number[] {
    const folder = join(this.path, snapshotsFolder);
    const names = existsSync(folder) ? readdirSync(folder) : [];
    return names
      .map(Number)
      .filter(Number.isInteger)
      .sort((a, b) => a - b);
  }

  removeSnapshot(id: number): void {
    rmSync(this.#snapshotPath(id), { recursive: true, force: true });
  }

  [Symbol.dispose](): void {
    if (!this.isKept) rmSync(this.path, { recursive: true, force: true });
  }

  #snapshotPath(id: number): string {
    return join(this.path, snapshotsFolder, String(id));
  }
}

/** Removes the directories of chains that were killed. */
async function removeLeftovers(parent: string): Promise<void> {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(prefix)) continue;
    const path = join(parent, name);
    try {
      // One that begins just now has no lock yet, and no file either.
      if (existsSync(join(path, settingsFile)) && !(await isDirectoryLocked(path)))
        rmSync(path, { recursive: true, force: true });
    } catch {
      // Another user's.
    }
  }
}
