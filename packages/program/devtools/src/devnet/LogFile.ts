import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { LossyLines } from "@vedette/config/log";

const defaultLimitBytes = 16 << 20;

/** A log that keeps its last part and the part before that, each of a bounded size; a full disk ends nothing. */
export class LogFile {
  readonly path: string;
  readonly #limitBytes: number;
  readonly #lines = new LossyLines((text) => this.#append(text));
  #sizeBytes: number;

  constructor(path: string, limitBytes = defaultLimitBytes) {
    this.path = path;
    this.#limitBytes = limitBytes;
    mkdirSync(dirname(path), { recursive: true });
    this.#sizeBytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  }

  write(line: string): void {
    this.#lines.write(`${line}\n`);
  }

  #append(text: string): void {
    const bytes = Buffer.from(text);
    if (this.#sizeBytes > 0 && this.#sizeBytes + bytes.length > this.#limitBytes) {
      renameSync(this.path, `${this.path}.1`);
      this.#sizeBytes = 0;
    }
    appendFileSync(this.path, bytes);
    this.#sizeBytes += bytes.length;
  }
}
