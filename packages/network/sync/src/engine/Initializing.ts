import { errorText } from "@vedette/errors";
import type { Peer } from "@vedette/network";
import {
  type ApprovedBlock,
  type Block,
  type CasperMessage,
  encodePacket,
  type FloorCacheResponse,
  type MergeableEntryResponse,
} from "@vedette/protocol";
import { checkApprovedBlock } from "../join/approvedBlock.js";
import { fetchGenesis } from "../join/fetchGenesis.js";
import type { ReceivedItems } from "../join/fetchState.js";
import type { ReceivedAnswer } from "../join/JoinRules.js";
import { BlockMailbox, Mailbox } from "../join/Mailbox.js";
import { SyncError } from "../SyncError.js";
import { refuseApprovedBlockRequest } from "../serve/serveApprovedBlockRequest.js";
import { systemTimers, type Timers } from "../Timers.js";
import { defaultSyncTimes, type SyncOptions, type SyncTimes } from "./SyncOptions.js";

const mailboxCapacity = 50;

/** Packets that cost something to read. */
type LargeAnswer = "ApprovedBlock" | "StoreItemsMessage" | "FloorCacheResponse" | "MergeableEntryResponse";

/**
 * A node that has no chain yet: it requests from its bootstrap a block to begin with, and fetches the data that belong
 * to it.
 *
 * The approved block is written last, with the DAG, in one transaction. A node that is killed before begins anew, but
 * keeps the blocks and the part of the state that it has.
 *
 * @spec 40 §3.5, §3.7
 */
export class Initializing {
  readonly #options: SyncOptions;
  readonly #times: SyncTimes;
  readonly #timers: Timers;
  readonly #approved = new Mailbox<ApprovedBlock>(1);
  readonly #blocks = new BlockMailbox(mailboxCapacity);
  readonly #items = new Mailbox<ReceivedItems>(mailboxCapacity);
  readonly #floors = new Mailbox<ReceivedAnswer<FloorCacheResponse>>(1);
  readonly #entries = new Mailbox<ReceivedAnswer<MergeableEntryResponse>>(mailboxCapacity);
  /** The bootstrap's answer to the request for the approved block, if any. */
  #request: "none" | "open" | "refused" = "none";

  constructor(options: SyncOptions) {
    this.#options = options;
    this.#times = { ...defaultSyncTimes, ...options.times };
    this.#timers = options.timers ?? systemTimers;
  }

  /** Whether a block with this hash was requested. */
  wantsBlock(hash: Uint8Array): boolean {
    return this.#blocks.wantsHash(hash);
  }

  /** Whether a large packet of this type may be of use. */
  wantsFrom(peer: Peer, typeId: LargeAnswer): boolean {
    switch (typeId) {
      case "ApprovedBlock":
        return peer.id === this.#options.bootstrap?.id;
      case "StoreItemsMessage":
        return this.#items.isOpen;
      case "FloorCacheResponse":
        return this.#floors.isOpen;
      case "MergeableEntryResponse":
        return this.#entries.isOpen;
    }
  }

  /** Takes a message of a peer; most have no meaning yet. @spec 40 §3.5 */
  handle(message: CasperMessage, peer: Peer): void {
    switch (message.type) {
      case "ApprovedBlock":
        this.#receiveApproved(message.message, peer);
        return;
      case "BlockMessage":
        this.#blocks.put({ block: message.message, peer });
        return;
      case "StoreItemsMessage":
        this.#items.put({ items: message.message, peer });
        return;
      case "FloorCacheResponse":
        this.#floors.put({ message: message.message, peer });
        return;
      case "MergeableEntryResponse":
        this.#entries.put({ message: message.message, peer });
        return;
      case "ApprovedBlockRequest":
        refuseApprovedBlockRequest(message.message.identifier, peer, this.#options.peers);
        return;
      case "NoApprovedBlockAvailable":
        if (peer.id !== this.#options.bootstrap?.id) return;
        this.#options.emit({ type: "noApprovedBlock", nodeIdentifier: message.message.nodeIdentifier.slice(0, 256) });
        if (this.#request !== "open") return;
        this.#request = "refused";
        this.#approved.nudge();
        return;
      default:
        return;
    }
  }

  /**
   * Joins the network.
   *
   * @returns the block that the chain begins with, which is in the DAG now
   * @throws {SyncError}; the signal's reason
   */
  async run(signal: AbortSignal): Promise<Block> {
    const { beginning, bootstrap, emit } = this.#options;
    if (bootstrap === undefined) throw new SyncError({ code: "noBootstrap" });
    const approved = await this.#obtainApproved(bootstrap, signal);
    const block =
      beginning === "importState"
        ? await this.#beginAtState(approved, bootstrap, signal)
        : await this.#beginAtGenesis(approved, bootstrap, signal);
    emit({ type: "approvedBlockRestored", block });
    return block;
  }

  /**
   * Repeats the request until a right approved block comes: after a lost answer, and after a refusal. A block that
   * comes without a request, as from the master of an ended ceremony, is accepted as well.
   */
  async #obtainApproved(bootstrap: Peer, signal: AbortSignal): Promise<ApprovedBlock> {
    const { peers, emit, beginning } = this.#options;
    const request = encodePacket("ApprovedBlockRequest", { identifier: "", trimState: beginning === "importState" });
    this.#approved.want(() => true);
    for (;;) {
      try {
        this.#request = "open";
        await peers.send(bootstrap, "ApprovedBlockRequest", request, signal);
        emit({ type: "approvedBlockRequested", peer: bootstrap });
        // The answer may have come before the request's receipt.
        const answer = this.#isRefused() ? undefined : await this.#next(this.#times.approvedAnswerMs, signal);
        if (answer !== undefined) return answer;
      } catch (error) {
        signal.throwIfAborted();
        const reason = errorText(error);
        emit({ type: "approvedBlockRequestFailed", peer: bootstrap, reason });
      }
      this.#request = "none";
      const unasked = await this.#next(this.#times.approvedRetryMs, signal);
      if (unasked !== undefined) return unasked;
    }
  }

  #isRefused(): boolean {
    return this.#request === "refused";
  }

  /** The approved block, when one comes in time. */
  async #next(timeoutMs: number, signal: AbortSignal): Promise<ApprovedBlock | undefined> {
    const takeBack = this.#timers.after(timeoutMs, () => this.#approved.nudge());
    try {
      const approved = await this.#approved.next(signal);
      if (approved !== undefined) this.#approved.want();
      return approved;
    } finally {
      takeBack();
    }
  }

  #receiveApproved(approved: ApprovedBlock, peer: Peer): void {
    const { bootstrap, shardName, dialect, emit } = this.#options;
    if (bootstrap === undefined) return;
    const check = checkApprovedBlock(approved, peer, { bootstrap, shardName, dialect });
    if ("refusal" in check) {
      emit({ type: "approvedBlockRefused", reason: check.refusal });
      return;
    }
    if (!this.#approved.put(approved)) return;
    emit({ type: "approvedBlockReceived", block: approved.candidate.block, signers: check.signers });
  }

  /** Replays genesis; everything after it comes by the ordinary way. Our own addition. @spec 40 §3.7 */
  async #beginAtGenesis(approved: ApprovedBlock, bootstrap: Peer, signal: AbortSignal): Promise<Block> {
    const { approved: port, blocks, emit } = this.#options;
    const genesis = await this.#genesisOf(approved, bootstrap, signal);
    if (genesis === undefined) {
      emit({ type: "genesisIsElsewhere", block: approved.candidate.block });
      return this.#beginAtState(approved, bootstrap, signal);
    }
    const { block } = genesis.candidate;
    blocks.put(block);
    const outcome = await port.adoptGenesis(genesis);
    if (outcome.kind === "valid") return block;
    const status = outcome.kind === "invalid" ? outcome.status : outcome.reason;
    throw new SyncError({ code: "genesisRejected", status });
  }

  /** @returns `undefined` where no peer has all blocks since genesis */
  async #genesisOf(approved: ApprovedBlock, bootstrap: Peer, signal: AbortSignal): Promise<ApprovedBlock | undefined> {
    const { block } = approved.candidate;
    if (block.parents.length === 0) return approved;
    try {
      const genesis = await fetchGenesis(block, this.#blockFetching(bootstrap), signal);
      return { candidate: { block: genesis, requiredSignatures: 0 }, signatures: [] };
    } catch (error) {
      const isNowhere = error instanceof SyncError && error.failure.code === "genesisNotFound";
      if (isNowhere && this.#options.beginning === "replayAll") return undefined;
      throw error;
    }
  }

  /** Fetches what belongs to the approved block, and takes it as it is. @spec 40 §3.7, §3.9, 61 §16.4 */
  async #beginAtState(approved: ApprovedBlock, bootstrap: Peer, signal: AbortSignal): Promise<Block> {
    const { approved: port, peers, stateImport: state, statePageNodes, emit, dialect, join } = this.#options;
    const states = {
      ...{ peers, bootstrap, state, received: this.#items, emit, timers: this.#timers },
      ...{ pageNodes: statePageNodes, packetForm: dialect.packetForm },
    };
    const mailboxes = { floors: this.#floors, entries: this.#entries };
    const use = { blocks: this.#blockFetching(bootstrap), states, approved: port, ...mailboxes };
    await join.beginAt(approved, use, signal);
    return approved.candidate.block;
  }

  #blockFetching(bootstrap: Peer) {
    const { peers, blocks, dialect, emit, nowMs } = this.#options;
    return { peers, bootstrap, blocks, dialect, emit, nowMs, timers: this.#timers, received: this.#blocks };
  }
}
