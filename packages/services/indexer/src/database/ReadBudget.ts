import { IndexError } from "../IndexError.js";

/** UTF-16 units of programs that one question may have read; to read them takes time that no query shows. */
const maxProgramLength = 65_536;

/** The limits of a query. */
export interface ReadLimits {
  readonly timeoutMs: number;
  readonly rows: number;
  readonly bytes: number;
}

/** The remaining part of a request's limits; all of its queries share it. */
export class ReadBudget {
  readonly limits: ReadLimits;
  readonly #deadlineMs: number;
  #rows = 0;
  #bytes = 0;
  #programLength = 0;

  constructor(limits: ReadLimits) {
    this.limits = limits;
    this.#deadlineMs = performance.now() + limits.timeoutMs;
  }

  /** Milliseconds. @throws {IndexQueryError} `tooSlow` */
  get remainingMs(): number {
    const remaining = this.#deadlineMs - performance.now();
    if (remaining <= 0) throw this.tooSlow();
    return remaining;
  }

  tooSlow(): IndexError {
    return new IndexError({ code: "tooSlow", timeoutMs: this.limits.timeoutMs });
  }

  /** Counts a program that is to be read. @returns whether it may be */
  takeProgram(length: number): boolean {
    if (this.#programLength + length > maxProgramLength) return false;
    this.#programLength += length;
    return true;
  }

  /** Counts a row. @throws {IndexQueryError} `tooManyRows`, `answerTooLarge` */
  take(row: object): void {
    this.#rows += 1;
    if (this.#rows > this.limits.rows) throw new IndexError({ code: "tooManyRows", most: this.limits.rows });
    for (const value of Object.values(row)) {
      this.#bytes += typeof value === "string" ? reportedLength(value) : value instanceof Uint8Array ? value.length : 8;
      if (this.#bytes > this.limits.bytes) break;
    }
    if (this.#bytes > this.limits.bytes) throw new IndexError({ code: "answerTooLarge", maxBytes: this.limits.bytes });
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for
const longInJson = /[\u0000-\u0007\u000b\u000e-\u001f]/;
/** Characters below a space that JSON has two characters for: \b, \t, \n, \f and \r. */
const shortInJson = 0b11_0111_0000_0000;

/** Characters that a text takes in JSON, where those that every text may have (quotes, line ends) count once. */
function reportedLength(text: string): number {
  const first = text.search(longInJson);
  if (first < 0) return text.length;
  let length = text.length;
  // Much faster than a search from match to match.
  for (let at = first; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x20 && (shortInJson & (1 << code)) === 0) length += 5;
  }
  return length;
}
