const firstMs = 2000;
const longestMs = 128_000;

/**
 * Tells when nothing has come for a while: after 2 s, then after twice as long, up to 128 s; anything that comes
 * begins anew.
 *
 * @spec 40 §3.8, §3.10
 */
export class IdleTimer implements Disposable {
  readonly #onIdle: (idleMs: number, nextMs: number) => void;
  #idleMs = firstMs;
  #timer: NodeJS.Timeout | undefined;

  constructor(onIdle: (idleMs: number, nextMs: number) => void) {
    this.#onIdle = onIdle;
    this.#start();
  }

  /** Something came. */
  activity(): void {
    this.#idleMs = firstMs;
    this.#start();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const idleMs = this.#idleMs;
      this.#idleMs = Math.min(longestMs, 2 * idleMs);
      this.#onIdle(idleMs, this.#idleMs);
      this.#start();
    }, this.#idleMs);
  }
}
