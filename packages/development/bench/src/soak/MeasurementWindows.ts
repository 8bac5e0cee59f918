import { setTimeout as sleep } from "node:timers/promises";
import { gcIntervalMs, processMonotonicMs } from "@vedette/executor/threads";

/** Every second time that all threads collect their garbage, so that each window that is measured has one. */
const everyMs = 2 * gcIntervalMs;
/** Earlier requests are done by then, and the last deploys are final. */
const beforeMs = 15_000;
/** The main thread comes last, up to seven seconds after the others. */
const afterMs = 12_000;

/**
 * Moments without requests to the nodes, while they collect their garbage: their memory then has only what they keep,
 * and no work under way.
 */
export class MeasurementWindows {
  readonly #nowMs: () => number;

  /** @param nowMs Unix milliseconds, by a clock as the nodes' threads have it */
  constructor(nowMs: () => number = processMonotonicMs) {
    this.#nowMs = nowMs;
  }

  /** Whether the nodes collect their garbage now, and no requests should be sent to them. */
  get isCollecting(): boolean {
    return this.#nowMs() % everyMs < afterMs;
  }

  /**
   * How long to wait, so that what takes some time is not under way in a calm moment.
   *
   * @returns 0: it can begin now
   */
  waitMs(takesMs: number): number {
    const sinceMs = (this.#nowMs() + beforeMs) % everyMs;
    const calmMs = beforeMs + afterMs;
    if (sinceMs < calmMs) return calmMs - sinceMs;
    return sinceMs + takesMs <= everyMs ? 0 : everyMs - sinceMs + calmMs;
  }

  /** Waits for it, or for the signal. */
  async pass(takesMs: number, signal: AbortSignal): Promise<void> {
    const waitMs = this.waitMs(takesMs);
    if (waitMs > 0 && !signal.aborted) await sleep(waitMs, undefined, { signal }).catch(() => undefined);
  }
}
