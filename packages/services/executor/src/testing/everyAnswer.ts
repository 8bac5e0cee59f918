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
