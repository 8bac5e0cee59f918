/**
 * All threads of a process collect their garbage at about the same times, so that what the process holds comes down to
 * what is in use again and again: one after another, each would hold garbage while another one has none.
 */

/** How often it is, by that clock. */
export const gcIntervalMs = 120_000;

/** How long ago the time came to collect what was collected last at another time; below 0: how long it is until then. */
export function sinceBeat(nowMs: number, lastMs: number, everyMs: number): number {
  return nowMs - (Math.floor(lastMs / everyMs) + 1) * everyMs;
}

/** Milliseconds by a clock that is never set and that the threads of a process share. */
export function processMonotonicMs(): number {
  return performance.timeOrigin + performance.now();
}
