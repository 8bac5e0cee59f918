import { createHash, type Hash } from "node:crypto";

const hashedTogether = 1 << 14;

/** The history of a run, in one hash: two runs of a seed are the same if their traces are. */
export class Trace {
  readonly #hash: Hash = createHash("sha256");
  /** The lines to be hashed next: one call for many lines. */
  #lines = "";
  readonly #print: ((line: string) => void) | undefined;

  /** @param print is given every line */
  constructor(print?: (line: string) => void) {
    this.#print = print;
  }

  note(line: string): void {
    this.#lines += line;
    if (this.#lines.length > hashedTogether) this.#flush();
    this.#print?.(line);
  }

  /** 16 hexadecimal digits. */
  digest(): string {
    this.#flush();
    return this.#hash.copy().digest("hex").slice(0, 16);
  }

  #flush(): void {
    this.#hash.update(this.#lines);
    this.#lines = "";
  }
}
