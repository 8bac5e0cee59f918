import { equalBytes, toHex } from "@vedette/crypto";
import type { Block, RejectedDeploy } from "@vedette/protocol";
import { hashKey } from "@vedette/protocol";
import { ChainError } from "../../ChainError.js";
import { type ChainRules, deployLifespan } from "../../ChainRules.js";
import type { BlockMetadata } from "../../dag/BlockMetadata.js";
import type { DagView } from "../../dag/DagView.js";
import type { EquivocationRecord } from "../../equivocation/EquivocationTable.js";
import type { FloorFacts, Floors } from "../../finality/f1r3node/Floors.js";
import type { LineageSource, StateLineage } from "../../finality/f1r3node/StateLineage.js";
import type { FloorPreState } from "../../merge/f1r3node/FloorPreState.js";
import type { PreStates } from "../../merge/f1r3node/PreStates.js";
import { floorPreState } from "../../merge/f1r3node/parentsState.js";
import type { F1r3nodeRuleSet } from "../../ruleSets/F1r3nodeRuleSet.js";
import type { SlashRules } from "../../slashing/SlashRules.js";
import type { BlockChecks } from "../BlockChecks.js";
import { type BlockStatus, exceptionOf, type InvalidStatus, isSlashable } from "../BlockStatus.js";
import { checkBlockHash } from "../blockHash.js";
import { checkBlockNumber } from "../blockNumber.js";
import { checkBondsCache } from "../bondsCache.js";
import { checkDeployShardId } from "../deployShardId.js";
import { checkFutureDeploy } from "../futureDeploy.js";
import { checkSequenceNumber, creatorJustificationOf } from "../sequenceNumber.js";
import { checkShardId } from "../shardId.js";
import { checkSimpleEquivocation } from "../simpleEquivocation.js";
import { checkTimestamp } from "../timestamp.js";
import type { ValidationContext } from "../validateBlock.js";
import type { F1r3nodeBlockExecution } from "./F1r3nodeBlockExecution.js";
import { checkFollowsOnce, checkParentsAndDepth } from "./followsAndParents.js";
import { checkRepeatedDeploy } from "./repeatedDeploy.js";

/** The sources of f1r3node's checks beside the DAG. */
export interface F1r3nodeCheckSources {
  readonly floors: Floors;
  readonly lineage: StateLineage;
  readonly slashing: SlashRules;
  /** The lineage facts in the bodies of blocks; the same source that the lineage reads. */
  readonly facts: LineageSource;
  readonly execution: F1r3nodeBlockExecution;
  readonly ruleSet: F1r3nodeRuleSet;
  /** Shared with the proposer. */
  readonly preStates?: PreStates | undefined;
}

/**
 * f1r3node's checks.
 *
 * Quirk 61 §14.4: whatever cannot be worked out of a block's own statements counts as a wrong one, too. What this node
 * does not have, or what is beyond its limits, is no verdict.
 *
 * @spec 61 §14
 */
export function f1r3nodeChecks(sources: F1r3nodeCheckSources): BlockChecks {
  return {
    async validate(block, context) {
      // Detected equivocations are not recorded (61 §15.1).
      const detected: readonly EquivocationRecord[] = [];
      try {
        const status = await judge(block, { ...context, ...sources });
        return { status: status ?? { status: "Valid" }, detected };
      } catch (error) {
        return { status: statusOfError(error, context), detected };
      }
    },
    recordsSides: true,
    isLocalAboveInvalid: true,
    isSlashable: (status) => status.status === "IgnorableEquivocation" || isSlashable(status),
    isEquivocation(status, block) {
      return block.sequenceNumber > 0 && this.isSlashable(status);
    },
  };
}

type Context = Omit<ValidationContext, "execution"> & F1r3nodeCheckSources;

/** @spec 61 §14.1 */
async function judge(block: Block, context: Context): Promise<BlockStatus | undefined> {
  const { dag, floors, isTimeless = false } = context;
  const parents = block.parents.map((hash) => dag.require(hash));
  const derive = (): FloorFacts => floors.derive({ parents, justifications: block.justifications });
  const early = checkBeforeFloor(block, parents, context);
  if (early !== undefined) return early;
  const first = block.body.deploys.length > 0 && parents.length > 0 ? derive() : undefined;
  const wrong = checkFacts(block, parents, first?.floor, context);
  if (wrong !== undefined) return wrong;
  return (
    (await checkExecution(block, parents, first ?? derive(), context)) ??
    (isTimeless ? undefined : checkOffences(block, context))
  );
}

/**
 * Checks offences, which depend on the blocks that came before this one.
 *
 * Ours: a block is not invalid for showing both of two blocks that a validator made at once: some nodes find both
 * valid.
 *
 * @spec 61 §15.1, §15.5
 */
function checkOffences(block: Block, { dag, slashing, isAwaited }: Context): BlockStatus | undefined {
  return slashing.checkNeglected(block, dag) ?? checkSimpleEquivocation(block, dag, isAwaited);
}

function checkBeforeFloor(
  block: Block,
  parents: readonly BlockMetadata[],
  { rules, nowMs }: Pick<Context, "rules" | "nowMs">,
): BlockStatus | undefined {
  return (
    checkBlockHash(block, rules.dialect) ??
    checkTimestamp(block, parents, nowMs) ??
    checkShardId(block, rules.shardName) ??
    checkDeployShardId(block, rules.shardName)
  );
}

function checkFacts(
  block: Block,
  parents: readonly BlockMetadata[],
  floor: BlockMetadata | undefined,
  context: Context,
): BlockStatus | undefined {
  const { dag, rules, slashing, isTimeless = false } = context;
  return (
    checkRepeatedDeploy(block, parents, floor, context) ??
    checkBlockNumber(block, parents) ??
    slashing.checkAuthorization(block, parents, dag, isTimeless) ??
    checkFutureDeploy(block) ??
    checkExpiredAtFloor(block, floor) ??
    checkTimeExpired(block) ??
    checkFollows(block, parents[0]) ??
    checkParentsAndDepth(block, parents, dag, limitsOf(rules)) ??
    checkSequenceNumber(block, dag) ??
    (isTimeless ? undefined : checkRegression(block, dag))
  );
}

function limitsOf({ maximumParents, maximumParentDepth }: ChainRules) {
  return { maximumParents, maximumParentDepth };
}

function checkFollows(block: Block, mainParent: BlockMetadata | undefined): BlockStatus | undefined {
  if (mainParent === undefined) return { status: "InvalidParents", problem: "none" };
  return checkFollowsOnce(block, mainParent);
}

/** As `checkExpiredDeploy` of rnode, counted from the floor of the block instead of the block. @spec 61 §14.2 (expired) */
function checkExpiredAtFloor(block: Block, floor: BlockMetadata | undefined): InvalidStatus | undefined {
  if (floor === undefined) return undefined;
  for (const { deploy } of block.body.deploys)
    if (deploy.validAfterBlockNumber <= floor.number - deployLifespan)
      return { status: "ContainsExpiredDeploy", deploy };
  return undefined;
}

/** A deploy's time may also be over by the clock of the block. @spec 61 §14.2 (time-expired) */
function checkTimeExpired(block: Block): InvalidStatus | undefined {
  for (const { deploy } of block.body.deploys) {
    const expiration = deploy.expirationTimestamp ?? 0n;
    if (expiration !== 0n && block.header.timestamp > expiration)
      return { status: "ContainsTimeExpiredDeploy", deploy };
  }
  return undefined;
}

/** Quirk 61 §14.1: what this node has executed to make a block is not executed again. */
async function checkExecution(
  block: Block,
  parents: readonly BlockMetadata[],
  facts: FloorFacts,
  context: Context,
): Promise<BlockStatus | undefined> {
  if (context.isOwn === true) return undefined;
  return (
    (await checkPreStateAndReplay(block, parents, facts, context)) ??
    checkBondsCache(block, await context.execution.committee(facts.floor.postStateHash))
  );
}

/** @spec 61 §14.3 */
async function checkPreStateAndReplay(
  block: Block,
  parents: readonly BlockMetadata[],
  facts: FloorFacts,
  context: Context,
): Promise<BlockStatus | undefined> {
  const { dag, execution, slashing } = context;
  const isLocal = isAboveInvalid(parents, dag);
  const wrong = comparePreState(block, await floorPreState({ ...context, isLocal }, parents, facts));
  if (wrong !== undefined) return wrong;
  const { preStateHash, postStateHash } = block.body.state;
  const invalidBlocks = slashing.invalidBlocksFor(block, dag);
  const outcome = await execution.replay({ block, preStateHash, invalidBlocks, isLocal });
  if (outcome.kind === "replayed") {
    const computed = outcome.postStateHash;
    if (equalBytes(computed, postStateHash)) return undefined;
    return { status: "InvalidTransaction", problem: "postState", computed, stated: postStateHash };
  }
  if (outcome.kind === "exception" && outcome.isLimit === true)
    return { status: "BlockException", message: outcome.message, isLimit: true };
  return { status: "InvalidTransaction", problem: "replay", message: outcome.message };
}

/**
 * Whether a parent was found invalid here. Then the state that it names may exist nowhere, so that it is not fetched. If
 * it is not here, the block is a wrong one: f1r3node names it in its next blocks.
 *
 * @spec 61 §14.4
 */
function isAboveInvalid(parents: readonly BlockMetadata[], dag: DagView): boolean {
  return parents.some(({ hash }) => dag.isInvalid(hash) && dag.invalidReason(hash) !== undefined);
}

/** Compares all that a block states of what it begins with. @spec 61 §14.3 */
export function comparePreState(block: Block, found: FloorPreState): InvalidStatus | undefined {
  const { state, rejectedDeploys, appliedFromScope = [], mergeBase } = block.body;
  if (!equalBytes(found.stateHash, state.preStateHash)) {
    const [computed, stated] = [found.stateHash, state.preStateHash];
    return { status: "InvalidTransaction", problem: "preState", computed, stated };
  }
  const isSame =
    isSameSet(rejectedDeploys.map(recordName), found.records.map(recordName)) &&
    isSameSet(appliedFromScope.map(toHex), found.applied.map(toHex)) &&
    toHex(mergeBase ?? new Uint8Array(0)) === toHex(found.mergeBase ?? new Uint8Array(0));
  if (isSame) return undefined;
  return { status: "InvalidRejectedDeploy", computed: found.records.map(({ signature }) => signature) };
}

function recordName({ signature, duplicate = false, carrier = new Uint8Array(0) }: RejectedDeploy): string {
  return `${toHex(signature)}:${duplicate}:${toHex(carrier)}`;
}

function isSameSet(left: readonly string[], right: readonly string[]): boolean {
  const [one, other] = [new Set(left), new Set(right)];
  return one.size === other.size && [...one].every((name) => other.has(name));
}

/** @spec 61 §14.4 */
function statusOfError(error: unknown, { dag }: Pick<ValidationContext, "dag">): BlockStatus {
  const exception = exceptionOf(error);
  if (!(error instanceof ChainError) || error.failure.code === "tooComplex") return exception;
  const isMissing = error.failure.code === "blockMissing" && dag.approvedBlock()?.number !== 0n;
  return isMissing ? exception : { status: "InvalidTransaction", problem: "replay", message: exception.message };
}

/**
 * Checks that no validator, the creator included, is justified by an older block than in the creator's block before.
 *
 * Ours: the block before is the one that this block names, even if the creator's latest message is another one. Then
 * this block is an equivocation in any case, and blocks above it get the same verdict in either order of arrival.
 *
 * @spec 61 §14.2 (regression), §15.5
 * @throws {ChainError} `blockMissing`
 */
function checkRegression(block: Block, dag: DagView): InvalidStatus | undefined {
  const before = creatorJustificationOf(block) ?? dag.latestMessage(hashKey(block.sender));
  if (before === undefined) return undefined;
  const current = dag.require(before);
  for (const { validator, latestBlockHash: hash } of block.justifications) {
    const previous = current.justificationOf(hashKey(validator));
    if (previous === undefined) continue;
    const [now, known] = [dag.require(hash), dag.require(previous)];
    if (!now.invalid && now.sequenceNumber < known.sequenceNumber)
      return { status: "JustificationRegression", validator, hash, previous };
  }
  return undefined;
}
