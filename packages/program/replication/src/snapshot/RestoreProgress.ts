import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What lies in a data directory while it is filled from a snapshot. */
const restoreFile = "restoring";

/** Whether a directory was being filled from this very snapshot, and nobody has said that it is done. */
export function isRestoring(directory: string, manifest: string): boolean {
  return readLines(join(directory, restoreFile))[0] === manifest;
}

/** Whether a directory was being filled from any snapshot, and nobody has said that it is done. */
export function isHalfRestored(directory: string): boolean {
  return existsSync(join(directory, restoreFile));
}

/**
 * Which chunks of a snapshot are in a data directory already. A note of one may be lost with the power, and then it is
 * fetched again; one that is noted has been written.
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
