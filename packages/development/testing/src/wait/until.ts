import { setTimeout as sleep } from "node:timers/promises";
import { patienceMs, quietPatienceMs } from "./patience.js";

/** How {@link until} looks, and what its failure adds. */
export interface UntilOptions {
  /** Milliseconds between two looks; 10 if left out. */
  readonly everyMs?: number;
  /** Describes what was there instead, for the failure's text; called only then. */
  readonly state?: () => string | Promise<string>;
}

/** The results of a look while the condition does not hold. */
type NotYet = undefined | null | false;

/**
 * Looks again and again until a condition holds.
 *
 * @param what the condition, as the end of the sentence "waited for …"
 * @param look returns the awaited value, or `undefined`, `null` or `false` while it is not there; what it throws ends
 *             the wait
 * @returns the awaited value
 * @throws Error when the condition does not hold within {@link syncWaitTimeoutMs}
 */
export async function until<Found>(
  what: string,
  look: () => Found | NotYet | Promise<Found | NotYet>,
  { everyMs = 10, state }: UntilOptions = {},
): Promise<Found> {
  const beganMs = performance.now();
  // Measuring the machine's speed takes a while, and few waits last long enough to need it.
  let limitMs = quietPatienceMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== null && found !== false) return found;
    const waitedMs = performance.now() - beganMs;
    if (waitedMs > limitMs && waitedMs > (limitMs = Math.max(limitMs, patienceMs()))) {
      const instead = state === undefined ? "" : `; ${await state()}`;
      throw new Error(`waited ${Math.round(waitedMs / 1_000)} s for ${what}${instead}`);
    }
    await sleep(everyMs);
  }
}
