import { performance } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";
import { dropUnusedCode } from "./dropUnusedCode.js";
import { reduceHeap } from "./reduceHeap.js";
import { gcIntervalMs, processMonotonicMs, sinceBeat } from "./restBeat.js";
import { minCollectableBytes } from "./ThreadMemoryMonitor.js";

/** When a thread that is always there collects its garbage by itself: the main thread, the one of an index. */
export interface IdleGcLimits {
  /** How often is looked. */
  readonly lookMs: number;
  /** The most that it has had to do since the last look: a share of the time. */
  readonly busyShare: number;
  /** Memory that it has taken since it collected its garbage: pages of its heap, and buffers outside of it. */
  readonly garbageBytes: number;
  /**
   * At this interval less garbage is collected too, at the same times in all threads ({@link sinceBeat}). A fortieth of
   * the interval later it is collected even on a busy thread.
   */
  readonly longestGarbageMs: number;
  /** The delay after the threads that work for it, which release their memory to it. */
  readonly afterOthersMs: number;
  /**
   * A collection stops the thread for four to six milliseconds for each megabyte in use: none is begun if the last one
   * left more than this, or the present heap has twice as much, with garbage.
   */
  readonly maxUsedBytes: number;
}

const defaultLimits: IdleGcLimits = {
  lookMs: 1_000,
  busyShare: 0.1,
  // The room for young objects, which a collection gives back and some work takes again, and half as much.
  garbageBytes: 48 << 20,
  longestGarbageMs: gcIntervalMs,
  afterOthersMs: 3_000,
  maxUsedBytes: 96 << 20,
};

/** Such a share of the longest time a busy thread waits for a quiet moment: meanwhile the others gather garbage anew. */
const overdue = 1 / 40;

/** Gives back what a busy time has left on this thread's heap, when it has little to do or has not done so for long. */
export function collectGarbageWhenIdle(
  signal: AbortSignal,
  limits: Partial<IdleGcLimits> = {},
  collect: () => Promise<void> = reduceHeap,
): void {
  const { lookMs, busyShare, garbageBytes, longestGarbageMs, afterOthersMs, maxUsedBytes } = {
    ...defaultLimits,
    ...limits,
  };
  dropUnusedCode();
  let [tidyBytes, tidyUsedBytes] = [0, 0];
  const nowMs = () => processMonotonicMs() - afterOthersMs;
  let tidiedMs = nowMs();
  let seen = performance.eventLoopUtilization();
  let isCollecting = false;
  const look = async () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, seen);
    seen = now;
    const { used_heap_size: used } = getHeapStatistics();
    const beatMs = sinceBeat(nowMs(), tidiedMs, longestGarbageMs);
    const isBusy = utilization > busyShare && beatMs < overdue * longestGarbageMs;
    const enoughBytes = beatMs >= 0 ? Math.min(minCollectableBytes, garbageBytes) : garbageBytes;
    const isHeavy = Math.min(used, tidyUsedBytes) > maxUsedBytes || used > 2 * maxUsedBytes;
    if (isBusy || isHeavy || isCollecting || takenBytes() < tidyBytes + enoughBytes) return;
    isCollecting = true;
    await collect();
    isCollecting = false;
    tidyBytes = takenBytes();
    ({ used_heap_size: tidyUsedBytes } = getHeapStatistics());
    tidiedMs = nowMs();
  };
  const timer = setInterval(() => void look().catch(() => clearInterval(timer)), lookMs).unref();
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
}

/** Bodies of requests that are over lie outside of the heap until they are collected. */
function takenBytes(): number {
  const { total_physical_size: pages, external_memory: buffers } = getHeapStatistics();
  return pages + buffers;
}
