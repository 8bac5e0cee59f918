import { createHash } from "node:crypto";
import { availableParallelism, loadavg } from "node:os";

/** How long a quiet machine of two cores may take for anything that a test waits for: the least of {@link syncWaitTimeoutMs}. */
export const quietPatienceMs = 180_000;
/** Slowness, by a machine's own measure, beyond which a slow machine counts as one that hangs. */
const maxSlowness = 20;
/** The {@link workMs} of the machine on which the suite's figures were taken. */
const quietWorkMs = 10;

/**
 * Returns how many times slower than a quiet machine this one is now: by the time that a fixed computation takes, and
 * by the number of programs that wait for each core.
 *
 * @returns 1 (quiet) to 20
 */
export function slowness(): number {
  const [load = 0] = loadavg();
  return Math.min(maxSlowness, Math.max(1, workMs() / quietWorkMs, load / availableParallelism()));
}

/**
 * Returns the longest time that a test waits for what should come: the only limit on real time in the tests.
 *
 * It is there to end a test that hangs, never to judge how fast something is, so it grows with {@link slowness}.
 *
 * @returns whole milliseconds, 180,000 on a quiet machine
 */
export function patienceMs(): number {
  return Math.round(quietPatienceMs * slowness());
}

/** Runs the fixed computation. @returns how long it took, in milliseconds of real time */
function workMs(): number {
  const block = new Uint8Array(1 << 20);
  const beganMs = performance.now();
  for (let round = 0; round < 12; round += 1) createHash("sha256").update(block).digest();
  return performance.now() - beganMs;
}
