import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const directory = fileURLToPath(new URL("../../corpus/", import.meta.url));

/** The inputs that are kept for a target: one a line, in base64, in the order of their length. */
export class CorpusFile {
  readonly #path: string;

  constructor(target: string) {
    this.#path = `${directory}${target}.txt`;
  }

  read(): Uint8Array[] {
    if (!existsSync(this.#path)) return [];
    const lines = readFileSync(this.#path, "utf8").split("\n");
    return lines.filter((line) => line !== "").map((line) => Uint8Array.from(Buffer.from(line.slice(1), "base64")));
  }

  /** Replaces what was kept. A line begins with a colon, so that the empty input has one, too. */
  write(inputs: readonly Uint8Array[]): void {
    const sorted = inputs.toSorted((one, other) => one.length - other.length);
    writeFileSync(this.#path, sorted.map((input) => `:${Buffer.from(input).toString("base64")}\n`).join(""));
  }
}
