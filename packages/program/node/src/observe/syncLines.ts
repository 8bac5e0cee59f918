import { type Lines, linesOf } from "@vedette/config/log";
import { toHex } from "@vedette/crypto";
import { peerUri } from "@vedette/network";
import { hashList, longBlock, type StoreNodeKey, shortBlock, shortHash } from "@vedette/protocol";
import type { Launch, SyncEvent } from "@vedette/sync";
import { ceremonyLines } from "./ceremonyLines.js";

const { debug, info, warn } = linesOf("sync");

/** The log lines of the synchronization. @spec 40 §2.1, §3, §4, 50 §6.2 */
export const syncLines: Lines<SyncEvent> = {
  waitingForFirstConnection: () => info("Waiting for first connection."),
  launched: ({ state }) => info(launches[state]),
  ...ceremonyLines,
  approvedBlockRequested: ({ peer }) => info(`Successfully sent ApprovedBlockRequest to ${peerUri(peer)}`),
  approvedBlockRequestFailed: ({ peer, reason }) =>
    warn(`Failed to send ApprovedBlockRequest to ${peerUri(peer)} because of ${reason}. Retrying in 10 seconds...`),
  noApprovedBlock: ({ nodeIdentifier }) =>
    info(`No approved block available on node ${nodeIdentifier}. Will request again in 10 seconds.`),
  approvedBlockReceived: ({ block }) =>
    info(
      "Received approved block from bootstrap node.",
      ...(block.number === 0n ? [`Block ${shortBlock(block)} with empty parents (supposedly genesis)`] : []),
      `Valid approved block ${shortBlock(block)} received. Restoring approved state.`,
    ),
  approvedBlockRefused: ({ reason }) => warn(`Invalid LastFinalizedBlock received; refusing to add. ${reason}`),
  approvedBlockRestored: ({ block }) =>
    info(
      "Blocks for approved state added to DAG.",
      `Approved state for block ${shortBlock(block)} is successfully restored.`,
    ),
  genesisIsElsewhere: ({ block }) =>
    warn(`Bootstrap returned ${shortBlock(block)}, which is not genesis: starting from its state.`),
  enteredRunning: ({ block }) =>
    info(`Making a transition to Running state. Approved ${shortBlock(block)}`, "MultiParentCasper instance created."),
  stateRequested: () => info("Sending StoreItemsRequest to bootstrap"),
  statePageImported: ({ nodes, leaves, totalNodes, totalLeaves }) =>
    info(`Imported state items (history: ${nodes}, data: ${leaves}; in all ${totalNodes} and ${totalLeaves})`),
  statePageRefused: ({ peer, reason }) => warn(`Refused state items from ${peerUri(peer)}: ${reason}`),
  stateSourceChanged: ({ from, to }) =>
    warn(`Switched state source to ${peerUri(to)}: incomplete state from ${peerUri(from)}`),
  horizonWanted: ({ states }) => info(`Fetching ${states} earlier states for merges`),
  horizonIncomplete: ({ held, wanted, reason }) =>
    warn(`Received ${held} of ${wanted} earlier states (${reason}). Others are requested when blocks need them.`),
  floorsTaken: ({ peer, floors, trusted }) =>
    info(
      peer === undefined
        ? `Derived finality of ${floors} blocks, ${trusted} of them trusted from the peer of the approved block.`
        : `Derived finality of ${floors} blocks, ${trusted} of them trusted from ${peerUri(peer)}.`,
    ),
  floorsRefused: ({ peer, contradicted }) =>
    warn(`Ignored finality data from ${peerUri(peer)}: contradicts ${contradicted} blocks`),
  floorsUnanswered: ({ peer, reason }) => info(`No finality data from ${peerUri(peer)}: ${reason}`),
  entriesTaken: ({ given, made, lacking }) =>
    info(`Number channel changes: ${given} blocks received, ${made} recomputed, ${lacking} unknown.`),
  entryRefused: ({ peer, hash, reason }) =>
    warn(`Invalid number channel changes of ${shortHash(hash)} from ${peerUri(peer)}: ${reason}`),
  entryLacking: ({ hash, reason }) => warn(`Number channel changes of block ${shortHash(hash)} unavailable: ${reason}`),
  blockAdmitted: ({ block }) =>
    info(`Added block ${shortBlock(block)} without validation: dependency below the start block`),
  stateReceived: () => info("Rholang state received and saved to store.", "Adding blocks for approved state to DAG."),
  stateIdle: ({ idleMs, nextMs }) =>
    warn(
      `No tuple space state responses for ${seconds(idleMs)}. Resending requests. (next timeout: ${seconds(nextMs)})`,
    ),
  blocksIdle: ({ idleMs, nextMs }) =>
    warn(`No block responses for ${seconds(idleMs)}. Resending requests. (next timeout: ${seconds(nextMs)})`),
  latestBlocksDownloaded: ({ lowerBound }) => info(`Latest blocks downloaded. Minimum block height is ${lowerBound}.`),
  joinBlockReceived: ({ block, peer }) =>
    info(
      peer === undefined
        ? `Process existing ${longBlock(block)}`
        : `BlockMessage received ${shortBlock(block)} from ${peerUri(peer)}.`,
    ),
  blockRestored: ({ block, peer }) =>
    info(`Restored block ${shortBlock(block)} from ${peerUri(peer)}: damaged on disk.`),
  invalidHashReceived: ({ block }) => warn(`Received ${longBlock(block)} with invalid hash. Ignored block.`),
  packetRefused: ({ peer, reason }) =>
    warn(`Could not extract casper message from packet sent by ${peerUri(peer)}: ${reason}`),
  hashIgnored: ({ kind, hash }) => debug(`Ignoring ${shortHash(hash)} ${hashKinds[kind].ignored}`),
  hashAccepted: ({ kind, hash, peer }) =>
    debug(`Incoming ${hashKinds[kind].accepted} ${shortHash(hash)} from ${peer.host}`),
  hashRequested: ({ hash, reason }) => info(`Adding ${shortHash(hash)} hash to RequestedBlocks because of ${reason}.`),
  blockIgnored: ({ block, peer }) => debug(`Ignoring BlockMessage ${shortBlock(block)} from ${peer.host}`),
  blockAccepted: ({ block, peer }) => debug(`Incoming BlockMessage ${shortBlock(block)} from ${peer.host}`),
  blockNotOfInterest: ({ block }) => info(`Block ${shortBlock(block)} is not of interest. Dropped`),
  unknownRulesSeen: ({ reason }) => warn(`${reason}. Its blocks are not judged.`),
  // Quirk 50 §6.2: rnode's wording, which scripts look for.
  blockMalformed: ({ block, reason }) => info(`Block ${shortBlock(block)} is not of malformed. Dropped (${reason})`),
  blockProcessingStarted: ({ block }) => info(`Block ${shortBlock(block)} processing started.`),
  blockValidationStarted: ({ block }) => info(`Validating block ${shortBlock(block)}.`),
  blockMissingDependencies: ({ block, toFetch, inBuffer }) =>
    info(
      `Block ${shortBlock(block)} missing dependencies. To fetch: ${hashList(toFetch)}. In buffer: ${hashList(inBuffer)}.`,
    ),
  blockValidated: ({ block, status, durationMs }) =>
    info(
      `Block ${shortBlock(block)} validated: ${status === "Valid" ? "Right(Valid)" : `Left(${status})`} in ${Math.round(durationMs)} ms`,
      `Block ${shortBlock(block)} processing finished.`,
    ),
  blockFailed: ({ block, reason }) => warn(`Block ${shortBlock(block)} could not be processed: ${reason}`),
  blockUnjudged: ({ block, reason }) =>
    warn(
      `Block ${shortBlock(block)} cannot be validated (${reason}). Its descendants wait; retry after the next change of the chain.`,
    ),
  rangeReceived: ({ peer, blocks }) => debug(`Received a range of ${blocks} blocks from ${peerUri(peer)}.`),
  rangeRefused: ({ peer, reason }) =>
    warn(`Invalid block range from ${peerUri(peer)}: ${reason} Range requests disabled.`),
  hashSent: ({ hash }) => info(`Sent hash ${shortHash(hash)} to peers`),
  blockRequestServed: ({ hash, peer, found }) =>
    info(
      `Received request for block ${shortHash(hash)} from ${peerUri(peer)}. ${
        found ? "Response sent." : "No response given since block not found."
      }`,
    ),
  tipsServed: ({ tips, peer }) =>
    info(`Received ForkChoiceTipRequest from ${peer.host}`, `Sending tips ${hashList(tips)} to ${peer.host}`),
  tipsRequested: () => info("Requested fork tip from peers"),
  tipsStale: ({ thresholdMs }) =>
    info(
      `Requesting tips update as newest latest message is more then ${seconds(thresholdMs)} old. Might be network is faulty.`,
    ),
  approvedBlockServed: ({ peer }) =>
    info(`Received ApprovedBlockRequest from ${peerUri(peer)}`, `ApprovedBlock sent to ${peerUri(peer)}`),
  floorsServed: ({ peer, asked, known }) =>
    debug(`Sent finality data of ${known} of ${asked} blocks to ${peerUri(peer)}`),
  entryServed: ({ peer, hash, found }) =>
    debug(
      `${found ? "Sent" : "No"} number channel changes of ${shortHash(hash)} ${found ? "to" : "for"} ${peerUri(peer)}`,
    ),
  storeItemsServed: ({ peer, startPath, take, skip, nodes, leaves }) =>
    info(
      `Received request for store items, startPath: [${printPath(startPath)}], chunk: ${take}, skip: ${skip}, from: ${peerUri(peer)}`,
      `Store items sent to ${peerUri(peer)} (history: ${nodes}, data: ${leaves})`,
    ),
  storeItemsRefused: ({ peer, reason }) => warn(`Refused a request for store items from ${peerUri(peer)}: ${reason}`),
};

const launches: { readonly [state in Launch]: string } = {
  running: "Approved block found, reconnecting to existing network",
  genesisValidator: "Approved block not found, taking part in ceremony as genesis validator",
  ceremonyMaster: "Approved block not found, taking part in ceremony as ceremony master",
  initializing: "Approved block not found, connecting to existing network",
};

const hashKinds = {
  broadcast: { ignored: "hash broadcast", accepted: "BlockHashMessage" },
  hasBlock: { ignored: "HasBlockMessage", accepted: "HasBlockMessage" },
} as const;

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 1000)} seconds`;
}

/** @spec 40 §2.1 (path element print) */
function printPath(path: readonly StoreNodeKey[]): string {
  return path
    .map(({ hash, index }) => {
      const digits = index === undefined ? "--" : (index & 0xff).toString(16).padStart(2, "0");
      return `${digits}:${toHex(hash).slice(0, 8)}`;
    })
    .join(" ");
}
