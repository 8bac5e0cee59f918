import type { SyncStatus } from "@vedette/sync";

/**
 * Whether blocks wait while one is executed, or a state is imported: then reads stand back. A node that follows its
 * network executes one block now and then, and has none waiting; blocks that wait for what nobody has are no work.
 *
 * @param executorCalls what the executor works on, or what waits for it
 */
export function isBehind(
  { state, waitingBlocks, readyBlocks }: Pick<SyncStatus, "state" | "waitingBlocks" | "readyBlocks">,
  executorCalls: number,
): boolean {
  if (executorCalls === 0) return false;
  return state === "initializing" || waitingBlocks + readyBlocks > 0;
}
