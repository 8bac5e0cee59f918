import { equalBytes } from "@vedette/crypto";
import { type Block, hashKey, rejectedIdsOf } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";
import type { YieldToEventLoop } from "../dag/yieldToEventLoop.js";
import { type MergeScope, mergeScopes } from "../merge/scope.js";
import type { BlockExecution, InvalidBlockFacts, ParentsState } from "./BlockExecution.js";
import { type BlockStatus, exceptionOf } from "./BlockStatus.js";
import { invalidBlockViews } from "./invalidBlockViews.js";

/** Blocks that a creator's peers made and it did not know; honest ones know of far more. */
const maxUnseen = 20_000;

/** The inputs for executing a block. */
export interface CheckpointContext {
  readonly dag: DagView;
  readonly execution: BlockExecution;
  readonly emptyStateHash: Uint8Array;
  /** Fault tolerance above which a block is final, for us and, we take it, for the block's creator. */
  readonly faultToleranceThreshold: number;
  readonly yieldNow: YieldToEventLoop;
}

/**
 * Check 13: the block begins with the state that its parents leave, and its deploys lead to the state that it contains.
 *
 * @spec 40 §5.5
 */
export async function checkCheckpoint(
  block: Block,
  parents: readonly BlockMetadata[],
  context: CheckpointContext,
): Promise<BlockStatus | undefined> {
  const wrong = await checkPreState(block, parents, context);
  if (wrong !== undefined) return wrong;
  let problem: BlockStatus | undefined;
  for (const invalidBlocks of invalidBlockViews(block, context.dag, maxUnseen)) {
    const found = await checkReplay(block, invalidBlocks, context.execution);
    if (found === undefined) return undefined;
    // With another map it would take as much again.
    if (found.status === "BlockException" && found.isLimit === true) return found;
    problem ??= found;
  }
  return problem;
}

/** Step 4 with one map of invalid blocks. */
async function checkReplay(
  block: Block,
  invalidBlocks: readonly InvalidBlockFacts[],
  execution: BlockExecution,
): Promise<BlockStatus | undefined> {
  const { preStateHash, postStateHash } = block.body.state;
  const outcome = await execution.replay({ block, preStateHash, invalidBlocks });
  switch (outcome.kind) {
    case "exception":
      return { status: "BlockException", message: outcome.message, isLimit: outcome.isLimit === true };
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
  { dag, execution, emptyStateHash, faultToleranceThreshold: threshold, yieldNow }: CheckpointContext,
): Promise<BlockStatus | undefined> {
  const [first] = parents;
  if (first === undefined) return comparePreState(block, { stateHash: emptyStateHash, rejectedDeploys: [] });
  if (parents.length === 1) return comparePreState(block, { stateHash: first.postStateHash, rejectedDeploys: [] });
  let problem: BlockStatus = { status: "BlockException", message: "there is no block to merge on" };
  let isFirst = true;
  for (const scope of mergeScopes(dag, parents, { justifications: block.justifications, threshold })) {
    const wrong = await checkScope(block, scope, execution);
    if (wrong === undefined) return undefined;
    // The first is what the creator most likely saw, and by evidence the only one that all nodes agree about.
    if (dag.judgesByEvidence) return wrong;
    // Each scope is a walk of its own.
    await yieldNow();
    if (isFirst) problem = wrong;
    isFirst = false;
  }
  return problem;
}

/** A scope that is not the creator's may also lead to changes that do not fit together. */
async function checkScope(
  block: Block,
  scope: MergeScope,
  execution: BlockExecution,
): Promise<BlockStatus | undefined> {
  try {
    return comparePreState(block, await execution.parentsPostState(block, scope));
  } catch (error) {
    return exceptionOf(error);
  }
}

function comparePreState(block: Block, { stateHash, rejectedDeploys }: ParentsState): BlockStatus | undefined {
  const stated = block.body.state.preStateHash;
  if (!equalBytes(stateHash, stated)) {
    return { status: "InvalidTransaction", problem: "preState", computed: stateHash, stated };
  }
  if (sameHashes(rejectedDeploys, rejectedIdsOf(block.body))) return undefined;
  return { status: "InvalidRejectedDeploy", computed: rejectedDeploys };
}

function sameHashes(left: readonly Uint8Array[], right: readonly Uint8Array[]): boolean {
  const leftKeys = new Set(left.map(hashKey));
  const rightKeys = new Set(right.map(hashKey));
  return leftKeys.size === rightKeys.size && [...leftKeys].every((key) => rightKeys.has(key));
}
