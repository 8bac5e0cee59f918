import { ChainError, type FloorExecution } from "@vedette/chain";
import { equalBytes } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import { ExecutionError, type FloorStates, printReplayFailure } from "@vedette/execution";
import type { Block, Bond } from "@vedette/protocol";
import { MergeError, type MergeFailure } from "@vedette/tuplespace";
import { isLimitOfExecution } from "../executor/executionLimits.js";

/** Each node finds the same; the other failures are of what this one has, or of its limits. @spec 61 §14.4 */
const saidByBlocks: ReadonlySet<MergeFailure["code"]> = new Set([
  ...(["joinMissing", "emptyChange", "emptyAction", "numberChannel", "removedAbsent"] as const),
]);

/**
 * How a chain of the newer node has its blocks executed, in the thread that asks.
 *
 * @param blocks where the blocks are that are merged under a block with several parents
 */
export function floorExecutionOf(
  states: FloorStates,
  blocks: { find(hash: Uint8Array): Block | undefined },
): FloorExecution {
  const requireBlock = (hash: Uint8Array): Block => {
    const block = blocks.find(hash);
    if (block === undefined) throw new ChainError({ code: "blockMissing", hash });
    return block;
  };
  // The floor stays where it is for a while.
  let last: { readonly root: Uint8Array; readonly committee: readonly Bond[] } | undefined;
  return {
    async merge({ merged, lineage, ...rest }) {
      const request = { ...rest, merged: merged.map(requireBlock), lineage: lineage.map(requireBlock) };
      try {
        const { stateHash, records, applied } = states.merge(request);
        return { stateHash, records, applied };
      } catch (error) {
        if (!(error instanceof MergeError) || !saidByBlocks.has(error.failure.code)) throw error;
        throw new ChainError({ code: "unmergeable", reason: error.message }, error);
      }
    },
    async replay({ block, preStateHash: preState, invalidBlocks }) {
      const told = invalidBlocks.map(({ hash, sender }) => ({ blockHash: hash, sender }));
      try {
        const result = states.replay({ block, preState, invalidBlocks: told });
        if (!("failure" in result)) return { kind: "replayed", postStateHash: result.postState };
        const message = `${printReplayFailure(result.failure)} (deploy ${result.deployIndex})`;
        return { kind: result.failure.code === "InternalError" ? "exception" : "failed", message };
      } catch (error) {
        const isLimit = isLimitOfExecution(error);
        const isOfBlock = error instanceof ExecutionError || error instanceof MergeError;
        if (isOfBlock || isLimit) return { kind: "exception", message: errorText(error), isLimit };
        throw error;
      }
    },
    async committee(root) {
      if (last === undefined || !equalBytes(last.root, root)) last = { root, committee: states.committee(root) };
      return last.committee;
    },
  };
}
