/** How many of something came about per second, lately. */
export class RecentRate {
  readonly #windowMs: number;
  readonly #events: { readonly atMs: number; readonly count: number }[] = [];

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  add(count: number, nowMs: number): void {
    this.#forget(nowMs);
    this.#events.push({ atMs: nowMs, count });
  }

  /** 0 where nothing came lately, or only one event, which has no duration. */
  perSecond(nowMs: number): number {
    this.#forget(nowMs);
    const first = this.#events[0];
    if (first === undefined || nowMs - first.atMs < 1) return 0;
    return (this.count(nowMs) * 1000) / (nowMs - first.atMs);
  }

  /** How many came lately. */
  count(nowMs: number): number {
    this.#forget(nowMs);
    return this.#events.reduce((sum, event) => sum + event.count, 0);
  }

  #forget(nowMs: number): void {
    const kept = this.#events.findIndex(({ atMs }) => nowMs - atMs <= this.#windowMs);
    this.#events.splice(0, kept < 0 ? this.#events.length : kept);
  }
}
