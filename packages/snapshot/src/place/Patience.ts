/**
 * Does a piece of work that is ended when it brings less than some bytes within a time.
 *
 * @throws {SlowError}; what the work throws
 */
export async function patiently<T>(
  intervalMs: number,
  leastBytes: number,
  work: (patience: Patience) => Promise<T>,
): Promise<T> {
  using patience = new Patience(intervalMs, leastBytes);
  try {
    return await work(patience);
  } catch (error) {
    // Clients say of what was ended only that it was.
    throw patience.signal.aborted ? patience.signal.reason : error;
  }
}

/** Ends a request that brings less than some bytes within a time, however it goes on. */
export class Patience {
  readonly #leastBytes: number;
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #bytes = 0;

  /** @param leastBytes wanted in each interval; with 0 there is one interval for all */
  constructor(intervalMs: number, leastBytes: number) {
    this.#leastBytes = leastBytes;
    this.#timer = setInterval(() => this.#look(intervalMs), intervalMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** So much has come. */
  note(bytes: number): void {
    this.#bytes += bytes;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #look(intervalMs: number): void {
    const isSlow = this.#bytes < this.#leastBytes || this.#leastBytes === 0;
    this.#bytes = 0;
    if (isSlow) this.#controller.abort(new SlowError(Math.round(intervalMs / 100) / 10));
  }
}

/** Somebody takes too long. */
export class SlowError extends Error {
  constructor(seconds: number) {
    super(`it gave too little in ${seconds} s`);
    this.name = "SlowError";
  }
}
