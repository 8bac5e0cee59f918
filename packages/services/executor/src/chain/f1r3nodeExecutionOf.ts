import {
  type BlockExecution,
  type BlockTable,
  ChainError,
  type F1r3nodeBlockExecution,
  type F1r3nodeMerge,
  type F1r3nodeProposeExecution,
  type F1r3nodeState,
  slashesOf,
} from "@vedette/chain";
import { type Block, type Bond, decodeBlock, f1r3node, hashKey } from "@vedette/protocol";
import type { ExecutorClient } from "../executor/ExecutorClient.js";
import type { MergeScopeAnswer } from "../executor/F1r3nodeExecutor.js";
import type { ExecutionListener } from "./executionOf.js";
import { playOn } from "./playOn.js";
import { replayOn } from "./replayOn.js";

/**
 * How a chain of f1r3node has its blocks executed, and new ones made: by the executor, to which a block travels as
 * its bytes.
 *
 * @param executor     finds blocks that are merged by their hashes, as {@link withBlockBytes} has it
 * @param blocks       where the blocks are that are merged under a block with several parents
 * @param provideState makes a state usable, wherever it has to come from
 * @spec 61 §10, §12
 */
export function f1r3nodeExecutionOf(
  executor: Pick<ExecutorClient, "replay" | "mergeScope" | "bonds" | "play" | "hasRoot">,
  blocks: Pick<BlockTable, "findBytes">,
  provideState: (root: Uint8Array) => Promise<void> = async () => undefined,
  { onNotes }: Pick<ExecutionListener, "onNotes"> = {},
): F1r3nodeProposeExecution {
  const blockOf = (hash: Uint8Array): Block => {
    const bytes = blocks.findBytes(hash);
    if (bytes === undefined) throw new ChainError({ code: "blockMissing", hash });
    return decodeBlock(bytes, f1r3node.blockForm);
  };
  const provide = async (root: Uint8Array, isLocal = false): Promise<void> => {
    if (!isLocal) return provideState(root);
    if (!(await executor.hasRoot(root))) throw new ChainError({ code: "stateMissing", root });
  };
  /** A block that came with an imported state was not executed here; to merge it, its own changes are needed. */
  const executeTrusted = async (hash: Uint8Array, isLocal = false): Promise<void> => {
    const block = blockOf(hash);
    const { preStateHash, postStateHash } = block.body.state;
    await provide(preStateHash, isLocal);
    const invalidBlocks = slashesOf(block).map(({ invalidBlockHash }) => blockOf(invalidBlockHash));
    const answer = await replayOn(executor, { block, preStateHash, invalidBlocks });
    const isElsewhere = answer.kind === "replayed" && hashKey(answer.postStateHash) !== hashKey(postStateHash);
    // One that is invalid here leads nowhere.
    if (isLocal && (isElsewhere || answer.kind === "failed"))
      throw new ChainError({ code: "stateMissing", root: postStateHash });
    if (answer.kind !== "replayed") throw new Error(`a block to be merged cannot be executed: ${answer.message}`);
    if (isElsewhere) throw new Error("a block to be merged leads elsewhere");
  };
  const ask = async (merge: F1r3nodeMerge): Promise<MergeScopeAnswer> => {
    const listOf = (hashes: readonly Uint8Array[]) => hashes.map((hash) => ({ hash }));
    const call = { ...merge, merged: listOf(merge.merged), lineage: listOf(merge.lineage) };
    const answer = await executor.mergeScope(call);
    if (answer.kind !== "unexecuted") return answer;
    for (const hash of answer.hashes) await executeTrusted(hash, merge.isLocal);
    return executor.mergeScope(call);
  };
  let last: { readonly root: string; readonly bonds: readonly Bond[] } | undefined;
  return {
    async merge(merge): Promise<F1r3nodeState> {
      await provide(merge.baseState, merge.isLocal);
      const answer = await ask(merge);
      if (answer.kind === "merged") return answer;
      if (answer.kind === "unmergeable") throw new ChainError({ code: "unmergeable", reason: answer.reason });
      throw new Error(`${answer.hashes.length} blocks to be merged are ${answer.kind}`);
    },
    async replay(request) {
      await provide(request.preStateHash, request.isLocal);
      const answer = await replayOn(executor, request);
      if (answer.kind === "replayed" && answer.notes !== undefined) onNotes?.(request.block, answer.notes);
      return answer;
    },
    async play(request) {
      await provideState(request.preStateHash);
      const outcome = await playOn(executor, { ...request, rejectedDeploys: [] }, f1r3node.blockForm);
      if (outcome.kind === "failed") return outcome;
      const { body, leftOut, playedMs } = outcome;
      const { deploys, systemDeploys, state } = body;
      return {
        ...{ kind: "played", leftOut, playedMs },
        parts: { postStateHash: state.postStateHash, deploys, systemDeploys },
      };
    },
    async committee(stateHash) {
      const root = hashKey(stateHash);
      // The floor stays where it is for a while; after a state was copied its own need not be here.
      if (last?.root !== root) {
        await provideState(stateHash);
        last = { root, bonds: await executor.bonds(stateHash) };
      }
      return last.bonds;
    },
  };
}

/**
 * For a chain of f1r3node: genesis is executed as on any network, and contains all its bonds; blocks with parents are
 * left to its checks.
 *
 * @spec 61 §11
 */
export function genesisExecution(
  execution: F1r3nodeBlockExecution,
  executor: Pick<ExecutorClient, "stakes">,
): BlockExecution {
  return {
    replay: (request) => execution.replay(request),
    bonds: (stateHash) => executor.stakes(stateHash),
    parentsPostState: () => Promise.reject(new TypeError("parents of f1r3node's blocks are merged by its checks")),
  };
}
