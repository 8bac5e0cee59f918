/** Where lines go, such as a file. @throws what the file system says */
export type AppendText = (text: string) => void;

/** What a file system says where it has no room. */
const noRoom: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);

/**
 * Writes a log of JSON lines to a disk that may be full: lines that find no room are left out, which ends nobody, and
 * the next one that finds some comes after a line that says how many are missing.
 */
export class LossyLines {
  readonly #append: AppendText;
  #lost = 0;

  constructor(append: AppendText) {
    this.#append = append;
  }

  /** @param line with its end of line @throws what the file system says, but that it has no room */
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

/** Behind what may be the beginning of a line. */
function missing(lines: number): string {
  const msg = `${lines} ${lines === 1 ? "line" : "lines"} of this log are missing: the disk had no room.`;
  return `\n${JSON.stringify({ level: "warn", time: new Date().toISOString(), area: "node", msg })}\n`;
}
