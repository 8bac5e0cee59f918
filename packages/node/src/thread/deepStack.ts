import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { resourceLimits as ownLimits, Worker } from "node:worker_threads";
import type { KeptMemory } from "./ThreadRest.js";
import { touchedStackBytes } from "./touchedStack.js";

/**
 * Stack of a thread that compiles or runs programs. Terms are walked by native recursion, so this, not the 1 MB of
 * the main thread, bounds how deep they may nest; pages are only taken when a program does nest.
 */
const stackSizeMb = 256;

/**
 * Room for young objects. Evaluation makes many that die at once; with V8's default of 16 MB a fifth of the time
 * goes into moving the few that live.
 */
const maxYoungGenerationSizeMb = 64;

/**
 * The share of a thread's heap beyond which programs are stopped. The engine ends a thread whose heap is full, but
 * where the piece that does not fit is a large one, it ends the whole process.
 */
const mostHeapUsed = 0.75;

/**
 * Whether this thread, started by {@link startDeepThread}, is about to run out of memory.
 *
 * @param mostUsed share of its heap that may be used
 */
export function isOutOfMemory(mostUsed = mostHeapUsed): boolean {
  if (!isHeapFull(mostUsed)) return false;
  // What looks full may be garbage, above all where something large was just given up.
  throwGarbageAway();
  return isHeapFull(mostUsed);
}

/** What programs of this thread may hold: beyond it {@link isOutOfMemory}. `undefined` where there is no bound. */
export function programMemoryMb(): number | undefined {
  const { maxOldGenerationSizeMb: heapMb } = ownLimits;
  return heapMb === undefined ? undefined : Math.floor(mostHeapUsed * heapMb);
}

/** Bytes that this thread holds, on its heap and beside it. */
export function heldBytes({ withoutGarbage }: { readonly withoutGarbage: boolean }): number {
  if (withoutGarbage) throwGarbageAway();
  const { used_heap_size: used, external_memory: external } = getHeapStatistics();
  return used + external;
}

/** What this thread, started by {@link startDeepThread}, keeps from the rest of the process. */
export function keptMemory(): KeptMemory {
  const { total_physical_size: pages, malloced_memory: zones, external_memory: external } = getHeapStatistics();
  return { heapBytes: pages + zones + external, stackBytes: touchedStackBytes(stackSizeMb << 20) };
}

/** Collects all garbage of this thread. */
export function throwGarbageAway(): void {
  collectGarbage ??= garbageCollector();
  collectGarbage();
}

function isHeapFull(mostUsed: number): boolean {
  const { used_heap_size: used, external_memory: external } = getHeapStatistics();
  const limit = (ownLimits.maxOldGenerationSizeMb ?? Number.POSITIVE_INFINITY) * 2 ** 20;
  return used > mostUsed * limit || external > limit;
}

let collectGarbage: (() => void) | undefined;

function garbageCollector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}

/**
 * Starts a worker thread on which programs may run.
 *
 * @param entry    URL of the compiled module
 * @param heapSizeMb limit of its JavaScript heap; a thread that exceeds it ends without harm to the others
 */
export function startDeepThread(entry: URL, workerData: unknown, heapSizeMb: number): Worker {
  const resourceLimits = { stackSizeMb, maxYoungGenerationSizeMb, maxOldGenerationSizeMb: heapSizeMb };
  // Nothing of the environment is for programs.
  return new Worker(entry, { workerData, resourceLimits, env: {} });
}
