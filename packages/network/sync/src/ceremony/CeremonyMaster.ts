import { CandidateApprovals } from "@vedette/chain";
import { emptyBytes } from "@vedette/crypto";
import type { Peer } from "@vedette/network";
import {
  type ApprovedBlock,
  type BlockApproval,
  type CasperMessage,
  type Dialect,
  encodePacket,
} from "@vedette/protocol";
import type { ApprovedBlockPort } from "../ports/ChainPort.js";
import type { GenesisPort } from "../ports/GenesisPort.js";
import type { PeersPort } from "../ports/PeersPort.js";
import { SyncError } from "../SyncError.js";
import type { EmitSyncEvent } from "../SyncEvent.js";
import { refuseApprovedBlockRequest } from "../serve/serveApprovedBlockRequest.js";
import { type Timers, waitFor } from "../Timers.js";

/** How a genesis ceremony is led. @spec 40 §10.2, §13 */
export interface CeremonyRules {
  /** `genesis-ceremony.required-signatures`; with none the master approves alone. */
  readonly requiredSignatures: number;
  /** `genesis-ceremony.approve-interval`: the interval of requests to validators. */
  readonly approveIntervalMs: number;
  /** `genesis-ceremony.approve-duration`: how long those that are not required are waited for. */
  readonly approveDurationMs: number;
}

/** The parts that the master of a ceremony works with. @spec 40 §3.4 */
export interface CeremonyMasterOptions {
  readonly genesis: GenesisPort;
  readonly rules: CeremonyRules;
  readonly dialect: Dialect;
  readonly approved: ApprovedBlockPort;
  readonly peers: PeersPort;
  readonly emit: EmitSyncEvent;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
  readonly timers: Timers;
}

/** Peers that one round reaches, as `batch-max-connections` of rnode. */
const peersPerRound = 20;
/** Peers that are sent the candidate in one round, those included that come during it. */
const maxPeersAsked = 1000;
/** A key, a signature and a name beside the candidate. */
const approvalBytes = 2048;
/** Timers count no further. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * A node that founds a network: makes the genesis block and collects the approvals of its validators.
 *
 * Nothing of a ceremony is kept before it is complete: a master that is killed begins anew, with another candidate.
 *
 * @spec 40 §3.4, §10.2
 */
export class CeremonyMaster {
  readonly #options: CeremonyMasterOptions;
  readonly #startedMs: number;
  #approvals: CandidateApprovals | undefined;
  /** The candidate as it is sent. */
  #question: Uint8Array = emptyBytes;
  /** Ids of the peers that the candidate was sent to in this round. */
  readonly #requestedPeers = new Set<string>();
  #isTimeUp = false;
  #wake: () => void = () => {};

  constructor(options: CeremonyMasterOptions) {
    this.#options = options;
    this.#startedMs = options.nowMs();
  }

  /** Whether an approval of this size may be for the candidate. */
  wantsApproval(sizeBytes: number): boolean {
    return this.#approvals !== undefined && sizeBytes <= this.#question.length + approvalBytes;
  }

  /** Takes a message of a peer. @spec 40 §3.4 */
  handle(message: CasperMessage, peer: Peer): void {
    const { peers, emit } = this.#options;
    switch (message.type) {
      case "ApprovedBlockRequest":
        refuseApprovedBlockRequest(message.message.identifier, peer, peers);
        this.#queryNewcomer(peer);
        return;
      case "NoApprovedBlockAvailable":
        emit({ type: "noApprovedBlock", nodeIdentifier: message.message.nodeIdentifier.slice(0, 256) });
        return;
      case "BlockApproval":
        this.#receive(message.message);
        return;
      default:
        return;
    }
  }

  /**
   * Makes the genesis block, has it approved, begins with it, and announces it to the peers.
   *
   * The chain has begun before any peer receives it: a master that is killed in between goes on with the block that
   * validators may have begun with. rnode announces first.
   *
   * @throws {SyncError} `ownGenesisRejected`; what the making of genesis throws; the signal's reason
   */
  async run(signal: AbortSignal): Promise<ApprovedBlock> {
    const { genesis, rules, dialect, approved: port, emit } = this.#options;
    const block = await genesis.make();
    signal.throwIfAborted();
    const candidate = { block, requiredSignatures: rules.requiredSignatures };
    const approvals = new CandidateApprovals(candidate, dialect);
    const timestamp = BigInt(Math.floor(this.#startedMs));
    const durationMs = BigInt(Math.floor(rules.approveDurationMs));
    this.#question = encodePacket("UnapprovedBlock", { candidate, timestamp, durationMs });
    this.#approvals = approvals;
    await this.#obtainApprovals(approvals, signal);
    this.#approvals = undefined;
    emit({ type: "ceremonyFinished" });
    const approved = approvals.approvedBlock();
    const outcome = await port.adoptGenesis(approved);
    if (outcome.kind !== "valid") {
      const status = outcome.kind === "invalid" ? outcome.status : outcome.reason;
      throw new SyncError({ code: "ownGenesisRejected", status });
    }
    this.#announce(approved);
    return approved;
  }

  async #obtainApprovals(approvals: CandidateApprovals, signal: AbortSignal): Promise<void> {
    const { rules, emit } = this.#options;
    const { requiredSignatures } = rules;
    const { validators } = approvals;
    emit({ type: "ceremonyStarted", validators, requiredSignatures, durationMs: rules.approveDurationMs });
    if (requiredSignatures === 0) {
      emit({ type: "genesisSelfApproved" });
      return;
    }
    const takeBack = this.#options.timers.after(Math.min(rules.approveDurationMs, longestTimerMs), () => {
      this.#isTimeUp = true;
      this.#wakeWhenComplete(approvals);
    });
    try {
      await this.#queryValidators(approvals, signal);
    } finally {
      takeBack();
    }
  }

  /** Sends the candidate again and again until the ceremony is complete. */
  async #queryValidators(approvals: CandidateApprovals, signal: AbortSignal): Promise<void> {
    const { rules, emit, nowMs } = this.#options;
    const { validators } = approvals;
    const { requiredSignatures, approveDurationMs: durationMs } = rules;
    for (;;) {
      emit({ type: "unapprovedBlockSent", hash: approvals.candidate.block.hash });
      this.#requestedPeers.clear();
      for (const peer of this.#options.peers.randomPeers(peersPerRound)) this.#ask(peer);
      await this.#pause(signal);
      const signatures = approvals.count;
      const counts = { signatures, validators, requiredSignatures };
      if (approvals.isComplete(this.#isTimeUp)) {
        emit({ type: "ceremonyCompleting", ...counts, isTimeUp: this.#isTimeUp });
        return;
      }
      emit({ type: "ceremonyInProgress", ...counts, elapsedMs: nowMs() - this.#startedMs, durationMs });
    }
  }

  /** Waits for an interval, or until the ceremony is complete; rnode looks at the ends of intervals alone. */
  async #pause(signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    const delayMs = Math.min(this.#options.rules.approveIntervalMs, longestTimerMs);
    await waitFor(this.#options.timers, delayMs, signal, woken.signal);
    signal.throwIfAborted();
  }

  #wakeWhenComplete(approvals: CandidateApprovals): void {
    if (approvals.isComplete(this.#isTimeUp)) this.#wake();
  }

  /** A validator that has just come need not wait for the next round; rnode lets it wait. */
  #queryNewcomer(peer: Peer): void {
    const isAsking = this.#approvals !== undefined && this.#options.rules.requiredSignatures > 0;
    if (!isAsking || this.#requestedPeers.has(peer.id) || this.#requestedPeers.size >= maxPeersAsked) return;
    this.#ask(peer);
  }

  #ask(peer: Peer): void {
    const content = this.#question;
    this.#requestedPeers.add(peer.id);
    this.#options.peers.stream(peer, "UnapprovedBlock", () => content);
  }

  #announce(approved: ApprovedBlock): void {
    const { peers, emit } = this.#options;
    const content = encodePacket("ApprovedBlock", approved);
    emit({ type: "approvedBlockSent", hash: approved.candidate.block.hash });
    for (const peer of peers.randomPeers(peersPerRound)) peers.stream(peer, "ApprovedBlock", () => content);
  }

  #receive(approval: BlockApproval): void {
    const { emit } = this.#options;
    const approvals = this.#approvals;
    if (approvals === undefined) return;
    const verdict = approvals.add(approval);
    const validator = approval.signature.publicKey;
    if (verdict === "untrusted" || verdict === "invalid") {
      emit({ type: "approvalRefused", validator, reason: verdict });
      return;
    }
    emit({ type: "approvalReceived", validator, isNew: verdict === "added", signers: approvals.signers });
    this.#wakeWhenComplete(approvals);
  }
}
