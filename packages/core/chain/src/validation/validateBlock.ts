import type { Block } from "@vedette/protocol";
import { ChainError } from "../ChainError.js";
import type { ChainRules } from "../ChainRules.js";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";
import type { YieldToEventLoop } from "../dag/yieldToEventLoop.js";
import type { EquivocationRecord, EquivocationView } from "../equivocation/EquivocationTable.js";
import { checkCommitment, checkNeglectedOffence, checkPast } from "../evidence/checkEvidence.js";
import { readEvidence } from "../evidence/evidenceBytes.js";
import type { BlockExecution } from "./BlockExecution.js";
import { type BlockStatus, exceptionOf } from "./BlockStatus.js";
import { checkBlockHash } from "./blockHash.js";
import { checkBlockNumber } from "./blockNumber.js";
import { checkBondsCache } from "./bondsCache.js";
import { checkCheckpoint } from "./checkpoint.js";
import { checkDeployShardId } from "./deployShardId.js";
import { checkExpiredDeploy } from "./expiredDeploy.js";
import { checkFutureDeploy } from "./futureDeploy.js";
import { checkJustificationFollows } from "./justificationFollows.js";
import { checkJustificationRegression } from "./justificationRegression.js";
import { checkNeglectedEquivocation, noticedEquivocations } from "./neglectedEquivocation.js";
import { checkNeglectedInvalidBlock } from "./neglectedInvalidBlock.js";
import { checkParents } from "./parents.js";
import { checkPhloPrice } from "./phloPrice.js";
import { checkRepeatDeploy } from "./repeatDeploy.js";
import { checkSequenceNumber } from "./sequenceNumber.js";
import { checkShardId } from "./shardId.js";
import { checkSimpleEquivocation } from "./simpleEquivocation.js";
import { checkTimestamp } from "./timestamp.js";

/** The context in which a block is judged. The DAG must not change while a block is validated. */
export interface ValidationContext {
  readonly rules: ChainRules;
  readonly dag: DagView;
  readonly equivocations: EquivocationView;
  readonly execution: BlockExecution;
  readonly nowMs: bigint;
  /** Whether another block waits for this one. @spec 40 §5.8 */
  readonly isAwaited: boolean;
  readonly yieldNow: YieldToEventLoop;
  /** Leaves out what depends on the order in which blocks came. @spec 40 §17.4 */
  readonly isTimeless?: boolean;
  /** Whether this node has just made the block itself. @spec 61 §14.1 */
  readonly isOwn?: boolean;
}

/** The status, and the equivocations that the block takes notice of. */
export interface Validation {
  readonly status: BlockStatus;
  readonly detected: readonly EquivocationRecord[];
}

/**
 * Judges a block that has a right format and right signatures, with its dependencies in the DAG.
 *
 * The first check that fails decides. A fact that is missing in the DAG is an exception of the block, not of the node.
 *
 * @spec 40 §5.1
 * @cost that of the replay; everything before and after it is small (40 §4.9)
 */
export async function validateBlock(block: Block, context: ValidationContext): Promise<Validation> {
  const detected: EquivocationRecord[] = [];
  try {
    const parents = block.parents.map((hash) => context.dag.require(hash));
    const status =
      (await checkWithoutExecution(block, parents, context)) ??
      (await checkExecution(block, parents, context)) ??
      (context.dag.judgesByEvidence
        ? checkOffences(block, parents, context)
        : checkAfterExecution(block, context, detected));
    return { status: status ?? { status: "Valid" }, detected };
  } catch (error) {
    if (error instanceof ChainError) return { status: exceptionOf(error), detected };
    throw error;
  }
}

type TimelyContext = Pick<ValidationContext, "rules" | "dag" | "nowMs" | "yieldNow" | "isTimeless">;

/** Checks 1 to 12; by evidence also 1a (40 §16.1), and its own in the place of 12 (40 §16.3). */
async function checkWithoutExecution(
  block: Block,
  parents: readonly BlockMetadata[],
  { rules, dag, nowMs, yieldNow, isTimeless = false }: TimelyContext,
): Promise<BlockStatus | undefined> {
  return (
    checkBlockHash(block, rules.dialect) ??
    (dag.judgesByEvidence ? checkCommitment(block) : undefined) ??
    checkTimestamp(block, parents, nowMs) ??
    checkShardId(block, rules.shardName) ??
    checkDeployShardId(block, rules.shardName) ??
    checkRepeatDeploy(block, parents, dag) ??
    checkBlockNumber(block, parents) ??
    checkFutureDeploy(block) ??
    checkExpiredDeploy(block) ??
    checkJustificationFollows(block, parents[0]) ??
    (await checkParents(block, parents, dag, { maximumParents: rules.maximumParents, yieldNow, isTimeless })) ??
    checkSequenceNumber(block, dag) ??
    (isTimeless ? undefined : checkRegressions(block, parents, dag))
  );
}

function checkRegressions(block: Block, parents: readonly BlockMetadata[], dag: DagView): BlockStatus | undefined {
  return dag.judgesByEvidence ? checkPast(block, parents, dag) : checkJustificationRegression(block, dag);
}

/** Checks 13 and 14. */
async function checkExecution(
  block: Block,
  parents: readonly BlockMetadata[],
  { rules, dag, execution, yieldNow }: ValidationContext,
): Promise<BlockStatus | undefined> {
  try {
    const { emptyStateHash, faultToleranceThreshold } = rules;
    const context = { dag, execution, emptyStateHash, faultToleranceThreshold, yieldNow };
    const status = await checkCheckpoint(block, parents, context);
    return status ?? checkBondsCache(block, await execution.bonds(block.body.state.postStateHash));
  } catch (error) {
    return exceptionOf(error);
  }
}

/** Replaces checks 15, 16 and 18 where blocks are judged by evidence, and check 17. @spec 40 §16.4 */
function checkOffences(
  block: Block,
  parents: readonly BlockMetadata[],
  { rules }: ValidationContext,
): BlockStatus | undefined {
  const offences = readEvidence(block.extraBytes)?.offences ?? [];
  return checkNeglectedOffence(block, parents[0]!, offences) ?? checkPhloPrice(block, rules.minimumPhloPrice);
}

/** Checks 15 to 18. */
function checkAfterExecution(
  block: Block,
  { rules, dag, equivocations, isAwaited, isTimeless = false }: ValidationContext,
  detected: EquivocationRecord[],
): BlockStatus | undefined {
  if (isTimeless) {
    detected.push(...noticedEquivocations(block, equivocations));
    return checkPhloPrice(block, rules.minimumPhloPrice);
  }
  return (
    checkNeglectedInvalidBlock(block, dag) ??
    checkNeglectedEquivocation(block, dag, equivocations, detected) ??
    checkPhloPrice(block, rules.minimumPhloPrice) ??
    checkSimpleEquivocation(block, dag, isAwaited)
  );
}
