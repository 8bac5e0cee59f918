import { setImmediate as turn } from "node:timers/promises";

/** How a node waits: by the machine's clock, or by that of a simulation. */
export interface Timers {
  /** Calls an action later. @returns what takes it back */
  after(ms: number, action: () => void): () => void;
  /** Resolves when whatever else is ready has had its turn. */
  breath(): Promise<void>;
}

/** Timers of the machine. */
export const systemTimers: Timers = {
  after(ms, action) {
    const timer = setTimeout(action, ms);
    return () => clearTimeout(timer);
  },
  async breath() {
    await turn();
  },
};

/** Waits, at most until the signal; ends without a word in either case. */
export function waitFor(timers: Timers, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const end = () => {
      takeBack();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const takeBack = timers.after(ms, end);
    signal.addEventListener("abort", end, { once: true });
  });
}
