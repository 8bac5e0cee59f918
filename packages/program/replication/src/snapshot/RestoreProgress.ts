import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Name of the file that a data directory has while it is filled from a snapshot. */
const restoreFile = "restoring";

/** Whether a restore of this snapshot into the directory began and has not ended. */
export function isRestoring(directory: string, manifest: string): boolean {
  return readLines(join(directory, restoreFile))[0] === manifest;
}

/** Whether a restore of any snapshot into the directory began and has not ended. */
export function isHalfRestored(directory: string): boolean {
  return existsSync(join(directory, restoreFile));
}

/**
 * Records which chunks of a snapshot are in a data directory. A recorded chunk has been written. A loss of power may
 * lose records, and then their chunks are fetched again.
 */
export class RestoreProgress {
  readonly #path: string;
  readonly #done: Set<string>;

  /** @param manifest the name of the snapshot's manifest; what was done for another one does not count */
  constructor(directory: string, manifest: string) {
    this.#path = join(directory, restoreFile);
    const [first, ...lines] = readLines(this.#path);
    this.#done = new Set(first === manifest ? lines : []);
    if (first !== manifest) writeFileSync(this.#path, `${manifest}\n`);
  }

  has(chunk: string): boolean {
    return this.#done.has(chunk);
  }

  add(chunk: string): void {
    this.#done.add(chunk);
    appendFileSync(this.#path, `${chunk}\n`);
  }

  /** Nothing is under way any more. */
  end(): void {
    rmSync(this.#path, { force: true });
  }
}

function readLines(path: string): readonly string[] {
  return existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
}
