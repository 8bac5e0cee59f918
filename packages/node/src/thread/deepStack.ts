import { Worker } from "node:worker_threads";

/**
 * Stack of a thread that compiles or runs programs. Terms are walked by native recursion, so this, not the 1 MB of
 * the main thread, bounds how deep they may nest; pages are only taken when a program does nest.
 */
const stackSizeMb = 256;

/**
 * Starts a worker thread on which programs may run.
 *
 * @param entry    URL of the compiled module
 * @param heapSizeMb limit of its JavaScript heap; a thread that exceeds it ends without harm to the others
 */
export function startDeepThread(entry: URL, workerData: unknown, heapSizeMb: number): Worker {
  return new Worker(entry, { workerData, resourceLimits: { stackSizeMb, maxOldGenerationSizeMb: heapSizeMb } });
}
