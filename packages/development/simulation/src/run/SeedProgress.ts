import { appendFileSync, existsSync, readFileSync } from "node:fs";
import type { Command } from "./parseArguments.js";
import { addSums, noSums, type SeedRange, type Sums } from "./runSeeds.js";

interface Line extends SeedRange {
  /** The request, without the seeds. */
  readonly asked: string;
  readonly sums: Sums;
}

/** Seeds that are run before they are noted as done. */
const together = 20;

/** Which seeds of a long run are done, in a file: the same command goes on where it was ended. */
export class SeedProgress {
  readonly left: readonly SeedRange[];
  sums = noSums;
  readonly #path: string | undefined;
  readonly #asked: string;

  /**
   * @param path of the file; nothing is noted without
   * @throws TypeError where it is of another command
   */
  constructor(path: string | undefined, { seeds, request, isMixed }: Pick<Command, "seeds" | "request" | "isMixed">) {
    this.#path = path;
    this.#asked = JSON.stringify({ ...request, isMixed });
    const done = new Set<string>();
    for (const { asked, first, last, sums } of path !== undefined && existsSync(path) ? readLines(path) : []) {
      if (asked !== this.#asked) throw new TypeError(`--progress: ${path} is of another command`);
      const part = `${first}-${last}`;
      if (first < seeds.first || last > seeds.last || done.has(part)) continue;
      done.add(part);
      this.sums = addSums(this.sums, sums);
    }
    const left: SeedRange[] = [];
    // Parts begin at the same seeds, whatever the first one is.
    for (let first = seeds.first; first <= seeds.last; ) {
      const last = Math.min(seeds.last, first - (first % together) + together - 1);
      if (!done.has(`${first}-${last}`)) left.push({ first, last });
      first = last + 1;
    }
    this.left = left;
  }

  /** Notes that a part is done. */
  note({ first, last }: SeedRange, sums: Sums): void {
    this.sums = addSums(this.sums, sums);
    const line: Line = { asked: this.#asked, first, last, sums };
    if (this.#path !== undefined) appendFileSync(this.#path, `${JSON.stringify(line)}\n`);
  }
}

/** An incomplete last line, from a process that was ended, is ignored. */
function readLines(path: string): Line[] {
  const lines = readFileSync(path, "utf8").split("\n").slice(0, -1);
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line) as Line];
    } catch {
      return [];
    }
  });
}
