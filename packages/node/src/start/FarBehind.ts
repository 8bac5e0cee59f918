import type { SyncStatus } from "@vedette/sync";

/** Heights, or blocks, that a node has yet to judge: from here on it is better to judge many than to tell of each. */
const far = 64n;

/**
 * Whether a node has far more blocks to judge than it follows one by one: by what is here, and by heights that enough of
 * the stake has signed. The number of a block that nobody has judged counts for nothing: anybody can sign any.
 *
 * @param status of the synchronization
 */
export function isFarBehind({
  state,
  height,
  bestHeight,
  waitingBlocks,
  readyBlocks,
  offeredBlocks = 0,
}: SyncStatus): boolean {
  if (state !== "running" || height === undefined) return false;
  return BigInt(waitingBlocks + readyBlocks + offeredBlocks) >= far || (bestHeight ?? height) - height >= far;
}
