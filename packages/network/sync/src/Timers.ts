import { setImmediate as turn } from "node:timers/promises";

/** How a node waits: by the machine's clock, or by that of a simulation. */
export interface Timers {
  /** Calls an action later. @returns a function that cancels it */
  after(ms: number, action: () => void): () => void;
  /** Resolves when whatever else is ready has had its turn. */
  yieldNow(): Promise<void>;
}

/** Timers of the machine. */
export const systemTimers: Timers = {
  after(ms, action) {
    const timer = setTimeout(action, ms);
    return () => clearTimeout(timer);
  },
  async yieldNow() {
    await turn();
  },
};

/**
 * Waits, at most until one of the signals; ends without a word in either case.
 *
 * Not for `AbortSignal.any` to put them together: Node.js 20 keeps a word of each such signal in those that it is made
 * of, for as long as they live.
 */
export function waitFor(timers: Timers, ms: number, ...signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    if (signals.some(({ aborted }) => aborted)) {
      resolve();
      return;
    }
    const end = () => {
      takeBack();
      for (const signal of signals) signal.removeEventListener("abort", end);
      resolve();
    };
    const takeBack = timers.after(ms, end);
    for (const signal of signals) signal.addEventListener("abort", end, { once: true });
  });
}

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
