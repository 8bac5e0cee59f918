/** Appends a text to a file. @throws the file system's error */
export type AppendText = (text: string) => void;

/** Error codes of a full file system. */
const noRoom: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);

/**
 * Writes a log of JSON lines to a disk that may be full. A line without room is dropped without an error; the next line
 * that is written follows one with the number of missing lines.
 */
export class LossyLines {
  readonly #append: AppendText;
  #lost = 0;

  constructor(append: AppendText) {
    this.#append = append;
  }

  /** @param line with its end of line @throws errors of the file system, except that it is full */
  write(line: string): void {
    try {
      this.#append(this.#lost === 0 ? line : `${missing(this.#lost)}${line}`);
      this.#lost = 0;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && noRoom.has(error.code))) throw error;
      this.#lost += 1;
    }
  }
}

/** Begins on a new line, since the last one may be incomplete. */
function missing(lines: number): string {
  const msg = `${lines} ${lines === 1 ? "line" : "lines"} of this log are missing: the disk had no room.`;
  return `\n${JSON.stringify({ level: "warn", time: new Date().toISOString(), area: "node", msg })}\n`;
}
