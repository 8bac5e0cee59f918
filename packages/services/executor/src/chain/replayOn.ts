import type { ReplayRequest } from "@vedette/chain";
import { encodeBlock } from "@vedette/protocol";
import type { ExecutorClient } from "../executor/ExecutorClient.js";
import type { ReplayAnswer } from "../executor/RnodeExecutor.js";
import { hasEnded } from "./BlockCommitBatcher.js";

/** Has a block executed, which travels as its bytes. A thread that ends over it is a limit of this machine. */
export async function replayOn(
  executor: Pick<ExecutorClient, "replay">,
  { block, preStateHash, invalidBlocks }: ReplayRequest,
): Promise<ReplayAnswer> {
  const bytes = encodeBlock(block);
  // To copy it is a piece of work of its own.
  if (bytes.length > largeBytes) await nextTurn();
  const call = executor.replay({
    block: bytes,
    preState: preStateHash,
    invalidBlocks: invalidBlocks.map(({ hash, sender }) => ({ blockHash: hash, sender })),
  });
  return call.catch((error: Error) => {
    if (!hasEnded(error)) throw error;
    return { kind: "exception", message: error.message, isLimit: true } as const;
  });
}

/** Copied in a few milliseconds. */
const largeBytes = 1 << 20;

function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
