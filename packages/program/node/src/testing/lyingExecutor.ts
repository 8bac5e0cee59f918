import type { ExecutorClient } from "@vedette/executor/threads";
import { Block, decodeBlock, encodeBlock, rnode } from "@vedette/protocol";

/** An executor that claims for blocks of one height that they change nothing, and that accepts such blocks. */
export function lyingExecutor(executor: ExecutorClient, height: bigint): ExecutorClient {
  return {
    ...executor,
    play: async (call) => {
      const answer = await executor.play(call);
      if (answer.kind !== "played" || call.blockData.blockNumber !== height) return answer;
      const block = decodeBlock(answer.block, rnode.blockForm);
      const state = { ...block.body.state, postStateHash: call.preState };
      return { ...answer, block: encodeBlock(new Block({ ...block, body: { ...block.body, state } })) };
    },
    replay: async (call) => {
      const { number, body } = decodeBlock(call.block, rnode.blockForm);
      if (number !== height) return executor.replay(call);
      const { postStateHash, bonds } = body.state;
      return { kind: "replayed", postStateHash, bonds };
    },
  };
}
