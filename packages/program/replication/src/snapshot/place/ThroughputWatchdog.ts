import { errorClass } from "@vedette/errors";

/**
 * Does a piece of work that is ended when it brings less than some bytes within a time, or when `end` aborts.
 *
 * @throws {TransferStalledError}; the reason of `end`; what the work throws
 */
export async function withMinThroughput<T>(
  intervalMs: number,
  minBytes: number,
  work: (patience: ThroughputWatchdog) => Promise<T>,
  end?: AbortSignal,
): Promise<T> {
  using patience = new ThroughputWatchdog(intervalMs, minBytes, end);
  try {
    return await work(patience);
  } catch (error) {
    // Clients report only that an ended request was ended.
    throw patience.signal.aborted ? patience.signal.reason : error;
  }
}

/** Ends a request that brings less than some bytes within a time, however it goes on. */
export class ThroughputWatchdog {
  readonly #minBytes: number;
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  /** Aborts when the work is too slow, and when the caller ends it. */
  readonly signal: AbortSignal;
  #bytes = 0;

  /**
   * @param minBytes wanted in each interval; with 0 there is one interval for all
   * @param end ends the work as well
   */
  constructor(intervalMs: number, minBytes: number, end?: AbortSignal) {
    this.#minBytes = minBytes;
    const { signal } = this.#controller;
    this.signal = end === undefined ? signal : AbortSignal.any([signal, end]);
    this.#timer = setInterval(() => this.#look(intervalMs), intervalMs);
  }

  /** Records that this many bytes have come. */
  note(bytes: number): void {
    this.#bytes += bytes;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #look(intervalMs: number): void {
    const isSlow = this.#bytes < this.#minBytes || this.#minBytes === 0;
    this.#bytes = 0;
    if (!isSlow) return;
    const seconds = Math.round(intervalMs / 100) / 10;
    this.#controller.abort(new TransferStalledError({ code: "stalled", seconds }));
  }
}

/** The storage transfers too little data in a given time. */
export class TransferStalledError extends errorClass("TransferStalledError", sentence) {}

function sentence({ seconds }: { readonly code: "stalled"; readonly seconds: number }): string {
  return `it gave too little in ${seconds} s`;
}
