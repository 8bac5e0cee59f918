import { IndexError } from "../IndexError.js";

/** What a question may cost. */
export interface ReadLimits {
  readonly timeoutMs: number;
  readonly rows: number;
  readonly bytes: number;
}

/** What is left of a question's limits; all of its queries share it. */
export class ReadBudget {
  readonly limits: ReadLimits;
  readonly #deadlineMs: number;
  #rows = 0;
  #bytes = 0;

  constructor(limits: ReadLimits) {
    this.limits = limits;
    this.#deadlineMs = performance.now() + limits.timeoutMs;
  }

  /** Milliseconds. @throws {IndexError} `tooSlow` */
  get remainingMs(): number {
    const remaining = this.#deadlineMs - performance.now();
    if (remaining <= 0) throw this.tooSlow();
    return remaining;
  }

  tooSlow(): IndexError {
    return new IndexError({ code: "tooSlow", timeoutMs: this.limits.timeoutMs });
  }

  /** Counts a row. @throws {IndexError} `tooManyRows`, `tooMuch` */
  take(row: object): void {
    this.#rows += 1;
    if (this.#rows > this.limits.rows) throw new IndexError({ code: "tooManyRows", most: this.limits.rows });
    for (const value of Object.values(row)) {
      this.#bytes += typeof value === "string" ? value.length : value instanceof Uint8Array ? value.length : 8;
    }
    if (this.#bytes > this.limits.bytes) throw new IndexError({ code: "tooMuch", mostBytes: this.limits.bytes });
  }
}
