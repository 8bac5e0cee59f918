import { type BlockStatus, type ProposeEvent, statusReason } from "@vedette/chain";
import { type Line, type Lines, linesOf } from "@vedette/config/log";
import { toHex } from "@vedette/crypto";
import { type Block, shortBlock, shortHash } from "@vedette/protocol";
import type { NodeProposeEvent } from "../propose/NodeProposeEvent.js";
import { executionFacts } from "./executionFacts.js";

const { debug, info, warn } = linesOf("propose");

/** The line that a validator without a peer and without blocks of its own logs once. @spec 40 §9 */
export const noPeerLine: Line = linesOf("node").warn(
  "No peers connected and no own block stored. Proposing is paused until a peer reports its tips, to avoid double signing.",
);

/** How much of a deploy's term the log shows. */
const shownTermCharacters = 100;

/** The log lines of the making of blocks. @spec 40 §9, 50 §6.2 */
export const proposeLines: Lines<ProposeEvent | NodeProposeEvent> = {
  deployReceived: ({ deploy }) => {
    const { timestamp, term, signature, algorithm, validAfterBlockNumber } = deploy;
    const id = toHex(signature);
    // Text of a client: in one line and short, so that it can neither forge lines nor fill the log.
    const shown = term.slice(0, shownTermCharacters).replace(/\p{Cc}+/gu, " ");
    return info(
      `Received DeployData #${timestamp} -- ${shown}, Sig: ${id.slice(0, 20)}...${id.slice(-20)}, ` +
        `SigAlgorithm: ${algorithm}, ValidAfterBlockNumber: ${validAfterBlockNumber}`,
    );
  },
  parentsChosen: ({ validators, invalid, valid, afterBondFilter, parents }) =>
    info(
      `Parent selection: ${validators} validators, ${invalid} invalid, ${valid} valid, ` +
        `${afterBondFilter} after bond filter, ${parents} parents`,
    ),
  deploysSelected: ({ number, earliest, pool, future, expired, valid, inScope, selected }) =>
    info(
      `Deploy selection for block #${number}: pool=${pool}, future=${future} (validAfterBlockNumber >= ${number}), ` +
        `expired=${expired} (validAfterBlockNumber <= ${earliest}), valid=${valid}, alreadyInScope=${inScope}, ` +
        `selected=${selected}`,
    ),
  deployFiltered: ({ signature, reason, validAfterBlockNumber, number, earliest }) => {
    const deploy = `Deploy ${toHex(signature).slice(0, 16)}... FILTERED`;
    if (reason === "future")
      return warn(`${deploy} (future): validAfterBlockNumber=${validAfterBlockNumber} >= currentBlock=${number}`);
    if (reason === "expired")
      return warn(`${deploy} (expired): validAfterBlockNumber=${validAfterBlockNumber} <= earliestBlock=${earliest}`);
    // A warning in rnode; but every deploy comes here until it is final.
    return debug(`${deploy} (already in scope): deploy already exists in DAG within lifespan window`);
  },
  synchronyMeasured: ({ senders, weight, total, value, threshold }) =>
    info(`Seen ${senders} senders with weight ${weight} out of total ${total} (${value} out of ${threshold} needed)`),
  synchronyPassed: ({ stallWindowMs }) =>
    warn(
      `Synchrony constraint bypassed after sustained stall: too few validators proposed for ${seconds(stallWindowMs)} or more`,
    ),
  heightMeasured: ({ ahead }) => info(`Latest message is ${ahead} blocks ahead of the last finalized block`),
  slashingIssued: ({ invalidBlockHash }) =>
    info(`Issuing slashing deploy justified by block ${shortHash(invalidBlockHash)}`),
  creatingBlock: ({ number, sequenceNumber }) => info(`Creating block #${number} (seqNum ${sequenceNumber})`),
  blockCreated: ({ block, elapsedMs }) =>
    info(`Block created: ${shortBlock(block)} (${block.body.deploys.length}d) [${printElapsed(elapsedMs)}]`),
  snapshotTaken: ({ elapsedMs }) => debug(`getCasperSnapshot [${printElapsed(elapsedMs)}]`),
  proposeStarted: () => info("Propose started"),
  proposeFinished: ({ result }) => {
    if (result.status === "Success")
      return info(
        `Propose finished: ProposeSuccess(Valid) Block ${shortBlock(result.block)} created and added.`,
        `Success! Block ${toHex(result.block.hash)} created and added.`,
      );
    const text = `Propose failed: ${result.status}`;
    if (result.reason === undefined) return info(text);
    return warn(text, result.reason);
  },
  mergeGivenUp: ({ parents, reason }) => warn(`Merge of ${parents} parents failed, using the first alone: ${reason}`),
  parentsExchanged: ({ parents, main }) =>
    info(`Other parents chosen so that no deploy is lost: ${parents}, the first ${shortHash(main)}`),
  deploysHarmed: ({ lost, repeated, main, floor }) => {
    const name = (what: string, signatures: readonly Uint8Array[]) => signatures.map((one) => `${what} ${toHex(one)}`);
    return warn(
      `Merge goes back from ${shortHash(main)} to the final block ${shortHash(floor)}: ` +
        `${lost.length} deploys lost, ${repeated.length} repeated. Lost deploys have to be signed again.`,
      ...name("lost", lost),
      ...name("repeated", repeated),
    );
  },
  deployPutAside: ({ signature, number, reason, isOfMachine }) =>
    info(
      `Deploy ${shortHash(signature)} cannot be executed in block #${number}, ` +
        `${isOfMachine ? "the next one tries it again" : "one retry left"}: ${reason}`,
    ),
  deployGivenUp: ({ signature, number, reason }) =>
    warn(`Deploy ${shortHash(signature)} cannot be executed in block #${number} and is refused: ${reason}`),
  blockTooHeavy: ({ number, deploys, reason }) =>
    warn(`Block #${number} of ${deploys} deploys exceeds limits, retrying with half: ${reason}`),
  ownBlockRefused: ({ block, status }) =>
    warn(
      status.status === "InvalidParents"
        ? "Block validation failed with InvalidParents - proposal conditions no longer met, skipping propose"
        : `Validation of self created block ${shortBlock(block)} failed with reason: ${status.status}, cancelling propose.`,
      ...refusalFacts(block, status),
    ),
  ownKeyElsewhere: ({ hash, sequenceNumber }) =>
    warn(
      `Block ${shortHash(hash)} with sequence number ${sequenceNumber} was signed with this node's key, but not by this ` +
        "node. Either its data directory was replaced, or a second validator runs with the same key and the stake will be lost.",
    ),
  ownBlockRecovered: ({ block }) => info(`Own block ${shortBlock(block)} restored from the network.`),
  clockBehind: ({ behindMs }) =>
    warn(`Clock is ${printElapsed(behindMs)} behind the blocks of others. Proposing is paused: set the clock.`),
  clockJumped: ({ byMs }) => warn(`Clock moved ${byMs < 0 ? "back" : "forward"} by ${printElapsed(Math.abs(byMs))}.`),
  deploysRemoved: ({ count, blockHash }) =>
    info(`Removed ${count} deploys from deploy history as we finalized block [${shortHash(blockHash)}].`),
  deploysExpired: ({ count }) => info(`Removed ${count} expired deploys.`),
  heartbeatStarted: ({ delayMs, checkIntervalMs, maximumLfbAgeMs }) =>
    info(
      // Quirk: the line is rnode's, where the delay is random; here it is the validator's turn (40 §9.10).
      `Heartbeat: Starting with random initial delay of ${seconds(delayMs)} (check interval: ${seconds(checkIntervalMs)}, ` +
        `max LFB age: ${seconds(maximumLfbAgeMs)}, signal-based wake enabled)`,
    ),
  heartbeatNotBonded: () => info("Heartbeat: Validator is not bonded, skipping heartbeat propose"),
  heartbeatProposes: ({ reason }) => info(`Heartbeat: Proposing block - reason: ${reason}`),
  heartbeatWaits: ({ why }) => debug(`Heartbeat: No action needed - reason: ${why}`),
  heartbeatSucceeded: () => info("Heartbeat: Successfully created block"),
  heartbeatFailed: ({ status, sequenceNumber }) =>
    warn(`Heartbeat: Propose failed with ${status} (seqNum ${sequenceNumber})`),
  conditionsFailed: ({ reason }) => warn(`Check for pending deploys failed: ${reason}`),
  heartbeatSkipped: ({ reason }): Line => warn(`Heartbeat skipped: chain not readable: ${reason}`),
};

/** Which check an own block has not passed, and what was found. */
function refusalFacts(block: Block, status: BlockStatus): readonly string[] {
  const facts =
    status.status === "BlockException" ? status.message : (executionFacts(status) ?? statusReason(block, status));
  return facts === undefined ? [] : [facts];
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 1000)}s`;
}

/** A number and its unit, one digit after the point. @spec 40 §9.7 (step 3) */
export function printElapsed(milliseconds: number): string {
  if (milliseconds < 1000) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} sec`;
  return `${(milliseconds / 60_000).toFixed(1)} min`;
}
