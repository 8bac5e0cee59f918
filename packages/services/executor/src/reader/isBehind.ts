import type { SyncStatus } from "@vedette/sync";

/**
 * Whether blocks wait while one is executed, or a state is imported: then reads give way. A node that follows its
 * network executes one block now and then, and has none waiting. Blocks with parents that no peer has do not count.
 *
 * @param executorCalls calls that the executor runs or that wait for it
 */
export function isBehind(
  { state, waitingBlocks, validatableBlocks }: Pick<SyncStatus, "state" | "waitingBlocks" | "validatableBlocks">,
  executorCalls: number,
): boolean {
  if (executorCalls === 0) return false;
  return state === "initializing" || waitingBlocks + validatableBlocks > 0;
}
