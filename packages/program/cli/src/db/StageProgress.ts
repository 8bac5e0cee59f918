const barWidth = 24;
const terminalMs = 200;
const plainMs = 5_000;

/** Shows how far a piece of work is: one line that is rewritten on a terminal, a line now and then elsewhere. */
export class StageProgress {
  readonly #stream: Pick<NodeJS.WriteStream, "isTTY" | "write">;
  readonly #nowMs: () => number;
  #stage = "";
  #begunMs = 0;
  #shownMs: number;

  /** @param nowMs monotonic */
  constructor(stream: Pick<NodeJS.WriteStream, "isTTY" | "write">, nowMs: () => number) {
    this.#stream = stream;
    this.#nowMs = nowMs;
    this.#shownMs = nowMs();
  }

  report(stage: string, done: number, total: number | undefined): void {
    const nowMs = this.#nowMs();
    if (stage !== this.#stage) [this.#stage, this.#begunMs] = [stage, nowMs];
    if (nowMs - this.#shownMs < (this.#stream.isTTY ? terminalMs : plainMs)) return;
    this.#shownMs = nowMs;
    const text = `${stage}  ${progressText(done, total, (nowMs - this.#begunMs) / 1_000)}`;
    this.#stream.write(this.#stream.isTTY ? `\r${text}\u001b[K` : `${text}\n`);
  }

  /** Leaves the terminal's line to what comes next. */
  end(): void {
    if (this.#stream.isTTY) this.#stream.write("\r\u001b[K");
  }
}

function progressText(done: number, total: number | undefined, seconds: number): string {
  if (total === undefined || total === 0) return String(done);
  const share = Math.min(1, done / total);
  const bar = "█".repeat(Math.round(share * barWidth)).padEnd(barWidth, "░");
  const left = done === 0 ? "" : `  ${Math.ceil((seconds / done) * Math.max(0, total - done))} s left`;
  return `${bar} ${done}/${total}${left}`;
}
