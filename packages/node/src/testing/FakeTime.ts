/** A time that passes only while something waits. */
export class FakeTime {
  nowMs = 1_000_000_500;
  readonly #waiting: { readonly atMs: number; readonly end: () => void }[] = [];

  readonly wait = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const entry = { atMs: this.nowMs + ms, end: resolve };
      this.#waiting.push(entry);
      signal.addEventListener("abort", () => {
        this.#waiting.splice(this.#waiting.indexOf(entry), 1);
        resolve();
      });
    });

  async pass(ms: number): Promise<void> {
    const untilMs = this.nowMs + ms;
    for (;;) {
      await new Promise(setImmediate);
      this.#waiting.sort((left, right) => left.atMs - right.atMs);
      const [next] = this.#waiting;
      if (next === undefined || next.atMs > untilMs) break;
      this.#waiting.shift();
      this.nowMs = next.atMs;
      next.end();
    }
    this.nowMs = untilMs;
  }
}
