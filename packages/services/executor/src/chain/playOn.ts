import type { PlayOutcome, PlayRequest } from "@vedette/chain";
import { type BlockCodec, decodeBlock } from "@vedette/protocol";
import { isStoreFailure } from "@vedette/store";
import type { ExecutorClient } from "../executor/ExecutorClient.js";
import { playProgress, playProgressBytes } from "../executor/RnodeExecutor.js";

/**
 * Has a new block executed. If the thread ends meanwhile, the answer names the deploy.
 *
 * @param form of the network
 * @throws {StoreError} by name, where the disk failed
 */
export async function playOn(
  executor: Pick<ExecutorClient, "play">,
  request: PlayRequest,
  form: BlockCodec,
): Promise<PlayOutcome> {
  const { preStateHash, timestamp, blockNumber, sender, sequenceNumber, invalidBlocks, ...rest } = request;
  const progress = new SharedArrayBuffer(playProgressBytes);
  const call = executor.play({
    ...rest,
    preState: preStateHash,
    blockData: { timestamp, blockNumber, sender, sequenceNumber },
    invalidBlocks: invalidBlocks.map(({ hash, sender: maker }) => ({ blockHash: hash, sender: maker })),
    progress,
  });
  const answer = await call.catch((error: Error) => endedAt(error, progress));
  return answer.kind === "played" ? { ...answer, body: decodeBlock(answer.block, form).body } : answer;
}

/** The thread has ended in the middle of a play: the deploy that was tried at that moment is to blame. */
function endedAt(error: Error, progress: SharedArrayBuffer): PlayOutcome & { readonly kind: "failed" } {
  if (isStoreFailure(error)) throw error;
  const { message } = error;
  const place = Atomics.load(new Int32Array(progress), 0);
  const isTrying = place !== playProgress.waiting && place !== playProgress.closing;
  return { kind: "failed", message, deployIndex: isTrying ? place - 1 : undefined };
}
