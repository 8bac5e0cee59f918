import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, statfsSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const pieceBytes = 64 << 10;

/** Why this machine cannot mount a separate file system; `undefined` if it can. */
export function whyNoSmallDisk(): string | undefined {
  if (process.platform !== "linux") return "a small file system is mounted on Linux alone";
  try {
    new SmallDisk(1 << 20)[Symbol.dispose]();
    return undefined;
  } catch (error) {
    return `no file system can be mounted: ${(error as Error).message.trim()}`;
  }
}

/** A file system of a few megabytes, in memory, which a test fills and empties. */
export class SmallDisk implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), "vedette-small-disk-"));

  /** @throws Error where this user may not mount */
  constructor(sizeBytes: number) {
    const { status, stderr, error } = spawnSync("mount", [
      "-t",
      "tmpfs",
      "-o",
      `size=${sizeBytes}`,
      "tmpfs",
      this.path,
    ]);
    if (status === 0) return;
    rmdirSync(this.path);
    throw new Error(error?.message ?? stderr.toString());
  }

  get freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.path);
    return bavail * bsize;
  }

  /** Fills the disk except for `leftBytes`, until {@link empty}. */
  fill(leftBytes = 0): void {
    const file = openSync(this.#ballast, "a");
    try {
      while (this.freeBytes > leftBytes)
        writeSync(file, new Uint8Array(Math.min(pieceBytes, this.freeBytes - leftBytes)));
    } catch (error) {
      // Another process has taken the rest.
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    } finally {
      closeSync(file);
    }
  }

  /** Gives back what was taken by {@link fill}. */
  empty(): void {
    rmSync(this.#ballast, { force: true });
  }

  [Symbol.dispose](): void {
    // Whatever still uses it keeps it until it ends.
    spawnSync("umount", ["--lazy", this.path]);
    rmSync(this.path, { recursive: true, force: true });
  }

  get #ballast(): string {
    return join(this.path, "ballast");
  }
}
