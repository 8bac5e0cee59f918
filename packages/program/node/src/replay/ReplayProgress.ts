/** Numbers of a long piece of work. */
export interface ProgressNumbers {
  readonly blocks: number;
  readonly totalBlocks: number;
  readonly deploys: number;
}

const barWidth = 24;
const terminalIntervalMs = 200;
const plainIntervalMs = 5_000;
/** Reading the memory from the system takes longer than counting a block. */
const memoryIntervalMs = 100;

/** Shows how far a replay has come: one line that is rewritten on a terminal, a line now and then elsewhere. */
export class ReplayProgress {
  readonly #stream: NodeJS.WriteStream;
  readonly #startedMs = performance.now();
  #shownMs = 0;
  #peakBytes = 0;
  #measuredMs = 0;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
    this.#shownMs = stream.isTTY ? 0 : this.#startedMs;
  }

  /** Highest resident memory that was seen, in bytes. */
  get peakBytes(): number {
    return Math.max(this.#peakBytes, process.memoryUsage.rss());
  }

  get seconds(): number {
    return (performance.now() - this.#startedMs) / 1000;
  }

  update(numbers: ProgressNumbers): void {
    const nowMs = performance.now();
    if (nowMs - this.#measuredMs >= memoryIntervalMs) {
      this.#measuredMs = nowMs;
      this.#peakBytes = this.peakBytes;
    }
    const interval = this.#stream.isTTY ? terminalIntervalMs : plainIntervalMs;
    if (nowMs - this.#shownMs >= interval) this.#show(numbers);
  }

  /** Leaves the terminal's line to what comes next. */
  end(): void {
    if (this.#stream.isTTY) this.#stream.write("\r\u001b[K");
  }

  #show({ blocks, totalBlocks, deploys }: ProgressNumbers): void {
    this.#shownMs = performance.now();
    const { seconds } = this;
    const share = totalBlocks === 0 ? 1 : blocks / totalBlocks;
    const bar = "█".repeat(Math.round(share * barWidth)).padEnd(barWidth, "░");
    const left = blocks === 0 ? "?" : `${Math.ceil((seconds / blocks) * (totalBlocks - blocks))} s`;
    const rates = `${(blocks / seconds).toFixed(1)} blocks/s  ${(deploys / seconds).toFixed(1)} deploys/s`;
    const memory = `${Math.round(process.memoryUsage.rss() / 1e6)} MB`;
    const text = `${bar} ${blocks}/${totalBlocks} blocks  ${rates}  ${memory}  ${left} left`;
    this.#stream.write(this.#stream.isTTY ? `\r${text}\u001b[K` : `${text}\n`);
  }
}
