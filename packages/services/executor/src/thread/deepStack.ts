import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { resourceLimits as ownLimits, type Transferable, Worker } from "node:worker_threads";
import { shareBlake2bCompression } from "@vedette/crypto";
import type { RetainedMemory } from "./ThreadMemoryMonitor.js";
import { touchedStackBytes } from "./touchedStack.js";

/** The memory limits of a thread that compiles or runs programs, in MB. */
export interface ThreadLimits {
  /** The limit of its JavaScript heap; a thread that exceeds it ends without harm to the others. */
  readonly heapSizeMb: number;
  /**
   * Terms are walked by native recursion, so this, not the 1 MB of the main thread, bounds how deep they may nest; pages
   * are only taken when a program does nest.
   */
  readonly stackSizeMb?: number;
  /**
   * Room for young objects. Evaluation makes many that die at once; with V8's default of 16 MB a fifth of the time
   * goes into moving the few that live.
   */
  readonly youngSizeMb?: number;
}

const usualStackSizeMb = 256;
const usualYoungSizeMb = 64;

/**
 * The share of a thread's heap beyond which programs are stopped. The engine ends a thread with a full heap, but if the
 * object that does not fit is a large one, it ends the whole process.
 */
const maxHeapUsed = 0.75;

/**
 * Whether the heap of this thread, started by {@link startDeepThread}, is about to be full.
 *
 * @param maxUsed share of its heap that may be used
 */
export function isOutOfMemory(maxUsed = maxHeapUsed): boolean {
  if (!isHeapFull(maxUsed)) return false;
  // A full heap may contain garbage, above all if a large object was just dropped.
  throwGarbageAway();
  return isHeapFull(maxUsed);
}

/** Bytes that this thread holds, on its heap and beside it. */
export function heldBytes({ withoutGarbage }: { readonly withoutGarbage: boolean }): number {
  if (withoutGarbage) throwGarbageAway();
  const { used_heap_size: used, external_memory: external } = getHeapStatistics();
  return used + external;
}

/** Returns the memory that this thread, started by {@link startDeepThread}, keeps from the rest of the process. */
export function keptMemory(): RetainedMemory {
  const { total_physical_size: pages, malloced_memory: zones, external_memory: external } = getHeapStatistics();
  return { heapBytes: pages + zones + external, stackBytes: ownStackBytes() };
}

/**
 * Returns the memory of this thread: objects, memory that belongs to them, and the part of its stack that was ever
 * used. Bytes.
 */
export function heapAndStackBytes(): number {
  return heldBytes({ withoutGarbage: false }) + ownStackBytes();
}

/** Collects all garbage of this thread. */
export function throwGarbageAway(): void {
  collectGarbage ??= garbageCollector();
  collectGarbage();
}

function ownStackBytes(): number {
  return touchedStackBytes((ownLimits.stackSizeMb ?? usualStackSizeMb) * 2 ** 20);
}

function isHeapFull(maxUsed: number): boolean {
  const { used_heap_size: used, external_memory: external } = getHeapStatistics();
  const limit = (ownLimits.maxOldGenerationSizeMb ?? Number.POSITIVE_INFINITY) * 2 ** 20;
  return used > maxUsed * limit || external > limit;
}

let collectGarbage: (() => void) | undefined;

function garbageCollector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}

/**
 * Starts a worker thread on which programs may run.
 *
 * @param entry URL of the compiled module
 * @param moved the part of its data that is moved from this thread
 */
export function startDeepThread(
  entry: URL,
  workerData: unknown,
  limits: ThreadLimits,
  moved: readonly Transferable[] = [],
): Worker {
  const { heapSizeMb, stackSizeMb = usualStackSizeMb, youngSizeMb = usualYoungSizeMb } = limits;
  const resourceLimits = {
    stackSizeMb,
    maxYoungGenerationSizeMb: youngSizeMb,
    maxOldGenerationSizeMb: heapSizeMb,
  };
  shareBlake2bCompression();
  // Nothing of the environment is for programs.
  return new Worker(entry, { workerData, resourceLimits, env: {}, transferList: [...moved] });
}
