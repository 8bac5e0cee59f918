import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What lies in a data directory while it is filled from a snapshot. */
export const restoreFile = "restoring";

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
    const [first, ...lines] = existsSync(this.#path) ? readFileSync(this.#path, "utf8").split("\n") : [];
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
