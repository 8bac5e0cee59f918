import { JsonText, type JsonTextOptions } from "./JsonText.js";

/** The greatest age in an answer of a value without events, such as a rate. */
const longestMs = 25;

/** An answer as it is printed. */
export interface PrintedAnswer extends Pick<JsonTextOptions, "status"> {
  readonly text: string;
}

/**
 * An answer whose bytes are made once for all requests before the next change. A request after a change gets a new one.
 */
export class OncePerChange {
  readonly #changes: () => number;
  readonly #print: () => PrintedAnswer;
  readonly #nowMs: () => number;
  #kept: JsonText | undefined;
  #seen = 0;
  #madeMs = 0;

  /**
   * @param changes another number whenever something has happened that the answer shows
   * @param nowMs monotonic
   */
  constructor(changes: () => number, print: () => PrintedAnswer, nowMs: () => number = () => performance.now()) {
    this.#changes = changes;
    this.#print = print;
    this.#nowMs = nowMs;
  }

  now(): JsonText {
    const [changes, nowMs] = [this.#changes(), this.#nowMs()];
    if (this.#kept !== undefined && changes === this.#seen && nowMs - this.#madeMs <= longestMs) return this.#kept;
    // Before it is made, so that what changes meanwhile makes it anew.
    [this.#seen, this.#madeMs] = [changes, nowMs];
    const { text, status } = this.#print();
    this.#kept = new JsonText(text, status === undefined ? {} : { status });
    return this.#kept;
  }
}
