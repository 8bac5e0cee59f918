import { Worker } from "node:worker_threads";

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
 * Starts a worker thread on which programs may run.
 *
 * @param entry    URL of the compiled module
 * @param heapSizeMb limit of its JavaScript heap; a thread that exceeds it ends without harm to the others
 */
export function startDeepThread(entry: URL, workerData: unknown, heapSizeMb: number): Worker {
  const resourceLimits = { stackSizeMb, maxYoungGenerationSizeMb, maxOldGenerationSizeMb: heapSizeMb };
  return new Worker(entry, { workerData, resourceLimits });
}
