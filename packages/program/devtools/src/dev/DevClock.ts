import type { NodeClock } from "@vedette/node/run";

/**
 * The clock of a chain for development: the machine's clock, set forward by any amount.
 *
 * The wall clock and the monotonic clock move together, so that the node does not report a wrong clock.
 */
export class DevClock implements NodeClock {
  #offsetMs = 0;

  /** By how much it is ahead of the machine's, in milliseconds. */
  get offsetMs(): number {
    return this.#offsetMs;
  }

  readonly nowMs = (): number => Date.now() + this.#offsetMs;

  readonly monotonicMs = (): number => performance.now() + this.#offsetMs;

  /** @param byMs may be negative: the blocks that are there set a limit that the caller has to know */
  move(byMs: number): void {
    this.#offsetMs += byMs;
  }
}
