import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The data of a test's process that can be kept: each part is the content of a file. */
export interface Witness {
  /** Names its folder. */
  readonly name: string;
  /** Files by name, read once a test has failed, while the process still runs or after it ended. */
  readonly files: Readonly<Record<string, () => string | Promise<string>>>;
  /** Returns whether a process that no test dismissed has ended: the next test does not use it. */
  readonly hasEnded?: () => boolean;
}

/** A test that runs, or a file of tests while it is set up and taken down. */
export interface RunningTest {
  /** Path of its file below the root of the checkout. */
  readonly file: string;
  /** Its title, with those of the groups around it first. */
  readonly titles: readonly string[];
}

/** Longer names are refused by some file systems. */
const maxNameLength = 100;

/**
 * Keeps the traces of processes when a test fails, as they are at that moment.
 *
 * A test hands its processes over instead of ending them: whether it fails is only known when it is over, and by then a
 * process that it ended answers nothing. Outside of tests processes end at once.
 */
export class FailureEvidence {
  readonly #folder: string;
  readonly #witnesses = new Set<Witness>();
  /** The running tests, each within its file. */
  readonly #running: { readonly test: RunningTest; readonly ends: (() => Promise<void>)[] }[] = [];

  /** @param folder below which it writes */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Takes note of a process: what is in its files is kept if a test fails before it is dismissed. */
  add(witness: Witness): void {
    this.#witnesses.add(witness);
  }

  /**
   * Ends processes that their test does not need any more: when the test is over, or at once where none runs.
   *
   * @param witnesses those that are noted no longer after that
   * @param end ends their processes and deletes their folders
   */
  async dismiss(witnesses: readonly Witness[], end: () => Promise<void>): Promise<void> {
    const endAll = async () => {
      for (const one of witnesses) this.#witnesses.delete(one);
      await end();
    };
    const running = this.#running.at(-1);
    if (running === undefined) await endAll();
    else running.ends.push(endAll);
  }

  /** A test begins. */
  begin(test: RunningTest): void {
    this.#running.push({ test, ends: [] });
    for (const one of this.#witnesses) if (one.hasEnded?.() === true) this.#witnesses.delete(one);
  }

  /**
   * A test is over: keeps what there is if it has failed, and ends all that it handed over.
   *
   * @returns the folder with the evidence, `undefined` where there is none
   */
  async end(hasFailed: boolean): Promise<string | undefined> {
    const running = this.#running.pop();
    if (running === undefined) return undefined;
    const folder = hasFailed ? await this.#keep(running.test) : undefined;
    const failures: unknown[] = [];
    // In the order in which they were disposed of: what others need, or are in, comes last.
    for (const end of running.ends) await end().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
    return folder;
  }

  async #keep({ file, titles }: RunningTest): Promise<string | undefined> {
    if (this.#witnesses.size === 0) return undefined;
    const folder = join(this.#folder, file, titles.map(nameOf).join("/"));
    rmSync(folder, { recursive: true, force: true });
    const taken = new Set<string>();
    await Promise.all(
      [...this.#witnesses].map(async ({ name, files }) => {
        let place = nameOf(name);
        for (let number = 2; taken.has(place); number += 1) place = `${nameOf(name)}-${number}`;
        taken.add(place);
        mkdirSync(join(folder, place), { recursive: true });
        for (const [file, read] of Object.entries(files))
          writeFileSync(join(folder, place, file), await contentOf(read));
      }),
    );
    return folder;
  }
}

/** Returns the content of a file, or why it cannot be read. */
async function contentOf(read: () => string | Promise<string>): Promise<string> {
  try {
    return await read();
  } catch (error) {
    return `not there: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`;
  }
}

/** A title as the name of a folder. */
function nameOf(title: string): string {
  const name = title
    .replace(/[^\p{Letter}\p{Number}.,_-]+/gu, "-")
    .replace(/^[-.]+|[-.]+$/g, "")
    .slice(0, maxNameLength);
  return name === "" ? "unnamed" : name;
}
