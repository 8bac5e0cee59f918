import {
  type BlockExecution,
  type BlockTable,
  ChainError,
  type MergeScope,
  type ProposeExecution,
} from "@vedette/chain";
import type { DeployNote, MergedState } from "@vedette/execution";
import { type Block, decodeBlock, rnode } from "@vedette/protocol";
import type { ExecutorClient } from "../executor/ExecutorClient.js";
import { playOn } from "./playOn.js";
import { replayOn } from "./replayOn.js";

/** Receives results of executing blocks. */
export interface ExecutionListener {
  /** Called with every merge of a block's parents, also with one that leads elsewhere than the block states. */
  readonly onMerge?: (block: Block, scope: MergeScope, merged: MergedState) => void;
  /** Called with a block that has deploys with errors or output. */
  readonly onNotes?: (block: Block, notes: readonly DeployNote[]) => void;
}

/**
 * How the chain has its blocks executed, and new ones made: by the executor, to which a block travels as its bytes.
 *
 * @param blocks       where the blocks are that are merged under a block with several parents
 * @param provideState makes a state usable, wherever it has to come from
 */
export function executionOf(
  executor: ExecutorClient,
  blocks: Pick<BlockTable, "findBytes">,
  provideState: (root: Uint8Array) => Promise<void> = async () => undefined,
  listener: ExecutionListener = {},
): BlockExecution & ProposeExecution {
  /** A block that came with an imported state was not executed here; to merge it, its own changes are needed. */
  const executeTrusted = async (bytes: Uint8Array): Promise<void> => {
    const { preStateHash, postStateHash } = decodeBlock(bytes, rnode.blockForm).body.state;
    await provideState(preStateHash);
    const answer = await executor.replay({ block: bytes, preState: preStateHash, invalidBlocks: [] });
    if (answer.kind !== "replayed") throw new Error(`a block to be merged cannot be executed: ${answer.message}`);
    if (keyOf(answer.postStateHash) !== keyOf(postStateHash)) throw new Error("a block to be merged leads elsewhere");
  };
  const requireBytes = (hash: Uint8Array): Uint8Array => {
    const bytes = blocks.findBytes(hash);
    if (bytes === undefined) throw new ChainError({ code: "blockMissing", hash });
    return bytes;
  };
  const merge = async (scope: MergeScope): Promise<MergedState> => {
    const merged = scope.blocks.map(requireBytes);
    const beside = scope.beside?.map(requireBytes);
    await provideState(scope.baseStateHash);
    const call = { baseState: scope.baseStateHash, blocks: merged, ...(beside === undefined ? {} : { beside }) };
    const answer = await executor.merge(call);
    if (answer.kind === "merged") return answer;
    const all = [...merged, ...(beside ?? [])];
    for (const index of answer.indexes) await executeTrusted(all[index]!);
    const again = await executor.merge(call);
    if (again.kind === "merged") return again;
    throw new Error(`${again.indexes.length} blocks to be merged are not executed`);
  };
  let blocksInEpoch: bigint | undefined;
  // The bonds of the state that was reached last come with the replay's answer: one call a block instead of two.
  let last: { readonly root: string; readonly bonds: Awaited<ReturnType<ExecutorClient["bonds"]>> } | undefined;
  return {
    async replay(request) {
      const answer = await replayOn(executor, request);
      if (answer.kind === "replayed") {
        const { postStateHash, bonds } = answer;
        last = bonds === undefined ? undefined : { root: keyOf(postStateHash), bonds };
        if (answer.notes !== undefined) listener.onNotes?.(request.block, answer.notes);
      }
      return answer;
    },
    async bonds(stateHash) {
      return last?.root === keyOf(stateHash) ? last.bonds : executor.bonds(stateHash);
    },
    async parentsPostState(block: Block, scope: MergeScope) {
      const merged = await merge(scope);
      listener.onMerge?.(block, scope, merged);
      return merged;
    },
    merge,
    async play(request) {
      await provideState(request.preStateHash);
      return playOn(executor, request, rnode.blockForm);
    },
    activeValidators: async (stateHash) => {
      await provideState(stateHash);
      return executor.activeValidators(stateHash);
    },
    async epochLength(stateHash) {
      if (blocksInEpoch === undefined) {
        await provideState(stateHash);
        blocksInEpoch = await executor.epochLength(stateHash);
      }
      return blocksInEpoch;
    },
  };
}

function keyOf(hash: Uint8Array): string {
  return Buffer.from(hash).toString("latin1");
}
