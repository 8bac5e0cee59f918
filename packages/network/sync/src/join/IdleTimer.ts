import type { Timers } from "../Timers.js";

const firstMs = 2000;
const longestMs = 128_000;

/**
 * Fires when nothing has come for a while: after 2 s, then after twice as long, up to 128 s; anything that comes
 * restarts it.
 *
 * @spec 40 §3.8, §3.10
 */
export class IdleTimer implements Disposable {
  readonly #timers: Timers;
  readonly #onIdle: (idleMs: number, nextMs: number) => void;
  #idleMs = firstMs;
  #takeBack: () => void = () => {};

  constructor(timers: Timers, onIdle: (idleMs: number, nextMs: number) => void) {
    this.#timers = timers;
    this.#onIdle = onIdle;
    this.#start();
  }

  /** Something came. */
  activity(): void {
    this.#idleMs = firstMs;
    this.#start();
  }

  [Symbol.dispose](): void {
    this.#takeBack();
  }

  #start(): void {
    this.#takeBack();
    this.#takeBack = this.#timers.after(this.#idleMs, () => {
      const idleMs = this.#idleMs;
      this.#idleMs = Math.min(longestMs, 2 * idleMs);
      this.#onIdle(idleMs, this.#idleMs);
      this.#start();
    });
  }
}
