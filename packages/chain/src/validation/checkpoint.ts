import { equalBytes } from "@vedette/crypto";
import { type Block, hashKey } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";
import { mergeScopes } from "../merge/scope.js";
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
  const wrong = await checkPreState(block, parents, { dag, execution, emptyStateHash });
  if (wrong !== undefined) return wrong;
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

/** Steps 1 to 3: the block begins with what its parents leave. */
async function checkPreState(
  block: Block,
  parents: readonly BlockMetadata[],
  { dag, execution, emptyStateHash }: CheckpointContext,
): Promise<BlockStatus | undefined> {
  const [first] = parents;
  if (first === undefined) return comparePreState(block, { stateHash: emptyStateHash, rejectedDeploys: [] });
  if (parents.length === 1) return comparePreState(block, { stateHash: first.postStateHash, rejectedDeploys: [] });
  let status: BlockStatus | undefined = { status: "BlockException", message: "there is no block to merge on" };
  let isFirst = true;
  for (const scope of mergeScopes(dag, parents)) {
    const wrong = comparePreState(block, await execution.parentsPostState(block, scope));
    if (wrong === undefined) return undefined;
    // What our own view of finality gives is what the reference would report.
    if (isFirst) status = wrong;
    isFirst = false;
  }
  return status;
}

function comparePreState(block: Block, { stateHash, rejectedDeploys }: ParentsState): BlockStatus | undefined {
  const stated = block.body.state.preStateHash;
  if (!equalBytes(stateHash, stated)) {
    return { status: "InvalidTransaction", problem: "preState", computed: stateHash, stated };
  }
  if (sameHashes(rejectedDeploys, block.body.rejectedDeploys)) return undefined;
  return { status: "InvalidRejectedDeploy", computed: rejectedDeploys };
}

function sameHashes(left: readonly Uint8Array[], right: readonly Uint8Array[]): boolean {
  const leftKeys = new Set(left.map(hashKey));
  const rightKeys = new Set(right.map(hashKey));
  return leftKeys.size === rightKeys.size && [...leftKeys].every((key) => rightKeys.has(key));
}
