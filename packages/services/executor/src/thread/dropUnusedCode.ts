import { setFlagsFromString } from "node:v8";

/**
 * From now on the engine drops what it has compiled of a function that has not run for some of its collections, on all
 * threads of the process; it is compiled anew when it is called. Without it what has once been machine code stays for
 * ever, so that a process that runs for hours holds more and more of it: for each rare thing that happened once.
 */
export function dropUnusedCode(): void {
  setFlagsFromString("--flush-baseline-code");
}
