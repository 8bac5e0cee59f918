import { type BlockExecution, ChainError, type MergeScope } from "@vedette/chain";
import { type Block, encodeBlock } from "@vedette/protocol";
import type { ReadableTable } from "@vedette/store";
import type { Executor } from "../thread/executor.js";

/**
 * How the chain has its blocks executed: by the executor, to which a block travels as its bytes.
 *
 * @param blocks where the blocks are that are merged under a block with several parents
 */
export function executionOf(executor: Executor, blocks: ReadableTable): BlockExecution {
  const requireBytes = (hash: Uint8Array): Uint8Array => {
    const bytes = blocks.get(hash);
    if (bytes === undefined) throw new ChainError({ code: "blockMissing", hash });
    return bytes;
  };
  // The bonds of the state that was reached last come with the replay's answer: one call a block instead of two.
  let last: { readonly root: string; readonly bonds: Awaited<ReturnType<Executor["bonds"]>> } | undefined;
  return {
    async replay({ block, preStateHash, invalidBlocks }) {
      const answer = await executor.replay({
        block: encodeBlock(block),
        preState: preStateHash,
        invalidBlocks: invalidBlocks.map(({ hash, sender }) => ({ blockHash: hash, sender })),
      });
      if (answer.kind === "replayed") last = { root: keyOf(answer.postStateHash), bonds: answer.bonds };
      return answer;
    },
    async bonds(stateHash) {
      return last?.root === keyOf(stateHash) ? last.bonds : executor.bonds(stateHash);
    },
    parentsPostState: (_block: Block, scope: MergeScope) =>
      executor.merge({ baseState: scope.baseStateHash, blocks: scope.blocks.map(requireBytes) }),
  };
}

function keyOf(hash: Uint8Array): string {
  return Buffer.from(hash).toString("latin1");
}
