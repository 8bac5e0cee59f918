import { closeSync, fsyncSync, openSync, realpathSync, renameSync, rmSync, statSync, writeSync } from "node:fs";

/**
 * A file that has its name only when it is whole: until then it is written beside, and what is given up is removed.
 * Else a command that failed, or was killed, would leave half of a table that looks like all of it.
 */
export class WholeFile implements Disposable {
  /** Where it is written. */
  readonly place: string;
  readonly #path: string;
  #file: number | undefined;

  /** @throws the file system's error */
  constructor(path: string) {
    this.#path = targetOf(path);
    this.place = isPlain(path) ? `${this.#path}.${process.pid}.part` : this.#path;
    this.#file = openSync(this.place, "w");
  }

  write(part: string | Uint8Array): void {
    const bytes = typeof part === "string" ? Buffer.from(part) : part;
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file!, bytes, at);
  }

  /** All is written: from here on it has its name. */
  done(): void {
    if (this.place === this.#path) return;
    fsyncSync(this.#file!);
    this.#close();
    renameSync(this.place, this.#path);
  }

  /** Removes what is not done. */
  [Symbol.dispose](): void {
    if (this.#file === undefined) return;
    this.#close();
    if (this.place !== this.#path) rmSync(this.place, { force: true });
  }

  #close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}

/** Writes a text as a whole or not at all. @throws the file system's error */
export function writeWhole(path: string, text: string): void {
  using file = new WholeFile(path);
  file.write(text);
  file.done();
}

/** A link stays one. */
function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Pipes and devices have no beside. */
function isPlain(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? true;
}
