/** How long a deploy took. */
export interface DeployTimes {
  /** From its signature, by the signer's clock, to its block, by the validator's clock. */
  readonly inBlockMs: number | undefined;
  /** From the block until this page saw it final; `undefined` if the page was not open then. */
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
