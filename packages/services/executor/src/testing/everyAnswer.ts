import type { ThreadMemoryLimits } from "../thread/ThreadMemoryMonitor.js";

/** Has a thread replaced after each of its answers. */
export const everyAnswer: ThreadMemoryLimits = {
  maxBytes: 0,
  idleHeapBytes: 0,
  idleStackBytes: 0,
  garbageBytes: 0,
  longestGarbageMs: 0,
  idleMs: 0,
  longestMs: 0,
  minAgeMs: 0,
};

const much = 1 << 30;
const never = 3_600_000;

/** Has a thread end after that time without a call, and never replaced. */
export function onlyEnding(endMs: number): ThreadMemoryLimits & { readonly endMs: number } {
  return {
    maxBytes: much,
    idleHeapBytes: much,
    idleStackBytes: much,
    garbageBytes: much,
    longestGarbageMs: never,
    idleMs: never,
    longestMs: never,
    minAgeMs: never,
    endMs,
  };
}
