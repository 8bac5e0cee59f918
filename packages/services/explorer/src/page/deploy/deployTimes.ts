/** How long a deploy took. */
export interface DeployTimes {
  /** From its signature, by the clock of who signed it, to its block, by that of the validator. */
  readonly inBlockMs: number | undefined;
  /** From the block until it was seen to be final; only somebody who was looking knows. */
  readonly finalMs: number | undefined;
}

interface Moments {
  readonly signedMs: number;
  readonly blockMs: number | undefined;
  readonly finalSeenMs: number | undefined;
}

/** Clocks differ, and signers may claim any time: times that cannot be are left out. */
export function deployTimes({ signedMs, blockMs, finalSeenMs }: Moments): DeployTimes {
  if (blockMs === undefined) return { inBlockMs: undefined, finalMs: undefined };
  const inBlockMs = between(signedMs, blockMs);
  return { inBlockMs, finalMs: finalSeenMs === undefined ? undefined : between(blockMs, finalSeenMs) };
}

function between(fromMs: number, toMs: number): number | undefined {
  const passed = toMs - fromMs;
  return passed >= 0 && passed < longestMs ? passed : undefined;
}

/** A deploy is valid for some heights only: what took longer was signed with another time than the clock's. */
const longestMs = 7 * 86_400_000;
