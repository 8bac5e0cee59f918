import { equalBytes } from "@vedette/crypto";
import { type Block, hashKey } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";
import type { BlockExecution, ParentsState } from "./BlockExecution.js";
import type { BlockStatus } from "./BlockStatus.js";
import { unseenInvalidBlocksRemoved } from "./visibleInvalidBlocks.js";

/** What the execution of a block needs. */
export interface CheckpointContext {
  readonly dag: DagView;
  readonly execution: BlockExecution;
  readonly emptyStateHash: Uint8Array;
}

/**
 * Check 13: the block begins with the state that its parents leave, and its deploys lead where it says.
 *
 * @spec 40 §5.5
 */
export async function checkCheckpoint(
  block: Block,
  parents: readonly BlockMetadata[],
  { dag, execution, emptyStateHash }: CheckpointContext,
): Promise<BlockStatus | undefined> {
  const { preStateHash: stated, postStateHash } = block.body.state;
  const before = await parentsState(block, parents, { execution, emptyStateHash });
  if (!equalBytes(before.stateHash, stated)) {
    return { status: "InvalidTransaction", problem: "preState", computed: before.stateHash, stated };
  }
  if (!sameHashes(before.rejectedDeploys, block.body.rejectedDeploys)) {
    return { status: "InvalidRejectedDeploy", computed: before.rejectedDeploys };
  }
  const invalidBlocks = unseenInvalidBlocksRemoved(block, dag);
  const outcome = await execution.replay({ block, preStateHash: stated, invalidBlocks });
  switch (outcome.kind) {
    case "exception":
      return { status: "BlockException", message: outcome.message };
    case "failed":
      return { status: "InvalidTransaction", problem: "replay", message: outcome.message };
    case "replayed": {
      const computed = outcome.postStateHash;
      if (equalBytes(computed, postStateHash)) return undefined;
      return { status: "InvalidTransaction", problem: "postState", computed, stated: postStateHash };
    }
  }
}

async function parentsState(
  block: Block,
  parents: readonly BlockMetadata[],
  { execution, emptyStateHash }: Pick<CheckpointContext, "execution" | "emptyStateHash">,
): Promise<ParentsState> {
  const [first] = parents;
  if (first === undefined) return { stateHash: emptyStateHash, rejectedDeploys: [] };
  if (parents.length === 1) return { stateHash: first.postStateHash, rejectedDeploys: [] };
  return execution.parentsPostState(block);
}

function sameHashes(left: readonly Uint8Array[], right: readonly Uint8Array[]): boolean {
  const leftKeys = new Set(left.map(hashKey));
  const rightKeys = new Set(right.map(hashKey));
  return leftKeys.size === rightKeys.size && [...leftKeys].every((key) => rightKeys.has(key));
}
