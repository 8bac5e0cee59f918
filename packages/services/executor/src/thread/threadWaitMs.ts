import { readFileSync } from "node:fs";

/**
 * How many milliseconds this thread has waited for a free processor; always 0 if the system does not report it.
 *
 * Waiting for the disk is not among them.
 *
 * @cost some system calls
 */
export function threadWaitMs(): number {
  try {
    // Linux: nanoseconds on a processor, nanoseconds of waiting for one, turns.
    const [, waited] = readFileSync("/proc/thread-self/schedstat", "latin1").split(" ");
    return Number(waited) / 1e6 || 0;
  } catch {
    return 0;
  }
}
