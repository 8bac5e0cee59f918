import { systemTimers, type Timers, waitFor } from "@vedette/sync";

/** A time that passes only while something waits. */
export class FakeTime implements Timers {
  nowMs = 1_000_000_500;
  readonly #waiting: { readonly atMs: number; readonly act: () => void }[] = [];

  readonly wait = (ms: number, ...signals: readonly AbortSignal[]): Promise<void> => waitFor(this, ms, ...signals);

  after(ms: number, act: () => void): () => void {
    const entry = { atMs: this.nowMs + ms, act };
    this.#waiting.push(entry);
    return () => {
      const at = this.#waiting.indexOf(entry);
      if (at >= 0) this.#waiting.splice(at, 1);
    };
  }

  yieldNow(): Promise<void> {
    return systemTimers.yieldNow();
  }

  async pass(ms: number): Promise<void> {
    const untilMs = this.nowMs + ms;
    for (;;) {
      await new Promise(setImmediate);
      this.#waiting.sort((left, right) => left.atMs - right.atMs);
      const [next] = this.#waiting;
      if (next === undefined || next.atMs > untilMs) break;
      this.#waiting.shift();
      this.nowMs = next.atMs;
      next.act();
    }
    this.nowMs = untilMs;
  }
}
