import { type Lines, linesOf } from "@vedette/config/log";
import { toHex } from "@vedette/crypto";
import { peerUri } from "@vedette/network";
import { shortHash } from "@vedette/protocol";
import type { SyncEvent } from "@vedette/sync";

const { info, warn } = linesOf("sync");

type CeremonyEvent = Extract<
  SyncEvent,
  {
    readonly type:
      | "ceremonyStarted"
      | "genesisSelfApproved"
      | "unapprovedBlockSent"
      | "ceremonyCompleting"
      | "ceremonyInProgress"
      | "ceremonyFinished"
      | "approvalReceived"
      | "approvalRefused"
      | "approvedBlockSent"
      | "candidateReceived"
      | "candidateRepeated"
      | "candidateApproved"
      | "candidateRefused";
  }
>;

/** The log lines of a genesis ceremony. @spec 40 §3.3, §10.2, §10.3 */
export const ceremonyLines: Lines<CeremonyEvent> = {
  ceremonyStarted: ({ validators, requiredSignatures, durationMs }) =>
    info(
      `Starting execution of ApprovedBlockProtocol. Total bonded validators: ${validators}, ` +
        `required signatures: ${requiredSignatures}, timeout: ${durationMs}ms.`,
    ),
  genesisSelfApproved: () => info("Self-approving genesis block."),
  unapprovedBlockSent: ({ hash }) => info(`Broadcasting UnapprovedBlock ${shortHash(hash)}...`),
  ceremonyCompleting: ({ signatures, validators, requiredSignatures, isTimeUp }) =>
    info(
      `Completing genesis ceremony: ${signatures}/${validators} validators signed, required: ${requiredSignatures}, ` +
        `timeout: ${isTimeUp ? "reached" : "not reached"}`,
    ),
  ceremonyInProgress: ({ signatures, validators, requiredSignatures, elapsedMs, durationMs }) =>
    info(
      `Genesis ceremony in progress. Signatures: ${signatures}/${validators} total (${requiredSignatures} required). ` +
        `Duration: ${Math.round(elapsedMs)}ms of ${durationMs}ms timeout. Continue broadcasting UnapprovedBlock...`,
    ),
  ceremonyFinished: () => info("Finished execution of ApprovedBlockProtocol"),
  approvalReceived: ({ validator, isNew, signers }) =>
    info(
      isNew ? "New signature received" : "No new sigs received",
      `Received block approval from ${toHex(validator)}`,
      `${signers.length} approvals received: ${signers.map(shortHash).join(", ")}`,
    ),
  approvalRefused: ({ validator, reason }) =>
    warn(
      reason === "untrusted"
        ? "Received BlockApproval from untrusted validator."
        : `Ignoring invalid block approval from ${toHex(validator)}`,
    ),
  approvedBlockSent: ({ hash }) => info(`Sending ApprovedBlock ${shortHash(hash)} to peers...`),
  candidateReceived: ({ peer }) =>
    info(`Received expected genesis block candidate from ${peerUri(peer)}. Verifying...`),
  candidateRepeated: ({ hash }) =>
    warn(`UnapprovedBlock ${shortHash(hash)} is already being verified. Dropping repeated message.`),
  candidateApproved: ({ peer }) =>
    info(`Approved genesis block candidate from ${peerUri(peer)}. Approval sent in response.`),
  candidateRefused: ({ peer, reason }) =>
    warn(`Received unexpected genesis block candidate from ${peerUri(peer)} because: ${reason}`),
};
