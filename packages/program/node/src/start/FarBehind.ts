import type { SyncStatus } from "@vedette/sync";

/** Heights, or blocks, left to judge from which a node judges many at once rather than report each. */
const far = 64n;

/**
 * Whether a node has far more blocks to judge than it follows one by one. It counts blocks that are here, and heights
 * that enough of the stake has signed. The number of an unvalidated block does not count: any key can sign any number.
 * Waiting blocks of keys without stake do not count either: they may wait for blocks that no node has.
 *
 * @param status of the synchronization
 */
export function isFarBehind({
  state,
  height,
  bestHeight,
  waitingBlocks,
  waitingOfUnbonded = 0,
  validatableBlocks,
  offeredBlocks = 0,
}: SyncStatus): boolean {
  if (state !== "running" || height === undefined) return false;
  const here = Math.max(0, waitingBlocks - waitingOfUnbonded) + validatableBlocks + offeredBlocks;
  return BigInt(here) >= far || (bestHeight ?? height) - height >= far;
}
