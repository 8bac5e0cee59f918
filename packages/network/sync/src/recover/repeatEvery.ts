import { type Timers, waitFor } from "../Timers.js";

/**
 * Sleeps and works in turn, until the signal. Rejects with what the work throws.
 *
 * @spec 40 §4.6, §4.7
 */
export async function every(
  intervalMs: number,
  { timers, signal }: { readonly timers: Timers; readonly signal: AbortSignal },
  work: () => void | Promise<void>,
): Promise<void> {
  for (;;) {
    await waitFor(timers, intervalMs, signal);
    if (signal.aborted) return;
    await work();
  }
}
