import { setTimeout as sleep } from "node:timers/promises";

/**
 * Sleeps and works in turn, until the signal.
 *
 * @spec 40 §4.6, §4.7
 */
export async function every(intervalMs: number, signal: AbortSignal, work: () => void): Promise<void> {
  for (;;) {
    try {
      await sleep(intervalMs, undefined, { signal });
    } catch {
      return;
    }
    work();
  }
}
