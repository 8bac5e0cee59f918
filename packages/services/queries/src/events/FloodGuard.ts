const perBeat = 1_000;

/** Notices a client that sends far more than an honest one does. */
export class FloodGuard {
  #since = 0;
  #count = 0;

  /** @returns true once, when it becomes too much. @param nowMs monotonic */
  count(nowMs: number): boolean {
    if (nowMs - this.#since >= 15_000) {
      this.#since = nowMs;
      this.#count = 0;
    }
    this.#count += 1;
    return this.#count === perBeat + 1;
  }
}
