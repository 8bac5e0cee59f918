import { createHash, type Hash } from "node:crypto";

/** What has happened, in one hash: two runs of a seed are the same where their traces are. */
export class Trace {
  readonly #hash: Hash = createHash("sha256");
  readonly #print: ((line: string) => void) | undefined;

  /** @param print is given every line */
  constructor(print?: (line: string) => void) {
    this.#print = print;
  }

  note(line: string): void {
    this.#hash.update(line);
    this.#print?.(line);
  }

  /** 16 hexadecimal digits. */
  digest(): string {
    return this.#hash.copy().digest("hex").slice(0, 16);
  }
}
