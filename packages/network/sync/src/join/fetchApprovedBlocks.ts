import { bindsReferences } from "@vedette/chain";
import { equalBytes } from "@vedette/crypto";
import type { Peer } from "@vedette/network";
import { type Block, type Dialect, hashBlock } from "@vedette/protocol";
import { BlockCopyOrigins } from "../blocks/BlockCopyOrigins.js";
import type { BlockStoreView } from "../ports/ChainPort.js";
import type { PeersPort } from "../ports/PeersPort.js";
import type { EmitSyncEvent } from "../SyncEvent.js";
import type { Timers } from "../Timers.js";
import { BlockRequester, type FetchedBlock } from "./BlockRequester.js";
import { JoinPeerSelector } from "./JoinPeerSelector.js";
import type { BlockMailbox, ReceivedBlock } from "./Mailbox.js";

/** The parts that the fetching of blocks needs. @spec 40 §3.8 */
export interface BlockFetching {
  readonly peers: PeersPort;
  readonly bootstrap: Peer;
  readonly blocks: BlockStoreView;
  readonly received: BlockMailbox;
  readonly dialect: Dialect;
  readonly emit: EmitSyncEvent;
  readonly nowMs: () => number;
  readonly timers: Timers;
}

/** After this many unanswered requests for a block, and at each further one, the copies that name it are doubted. */
const questionsBeforeDoubt = 4;

/**
 * Fetches and stores the blocks that belong to an approved one: its validators' latest, and 50 heights below.
 *
 * Where nothing binds justifications, a peer may have changed those of a copy, so that they name a block that does not
 * exist. When no peer has a block, the copies that justify it are requested again, last from the peers that gave them.
 *
 * @param lowest as {@link BlockRequester} takes it
 * @spec 40 §3.8
 * @returns the blocks for the DAG, the highest first; among them the approved block
 */
export async function fetchApprovedBlocks(
  approved: Block,
  use: BlockFetching,
  signal: AbortSignal,
  lowest?: bigint,
): Promise<readonly FetchedBlock[]> {
  await use.blocks.prepare(approved);
  use.blocks.put(approved);
  using fetching = new ApprovedBlocksFetch(approved, use, lowest);
  return await fetching.run(signal);
}

class ApprovedBlocksFetch implements Disposable {
  readonly #approved: Block;
  readonly #use: BlockFetching;
  readonly #lowest: bigint | undefined;
  #requester: BlockRequester;
  readonly #copies = new BlockCopyOrigins();
  readonly #sources: JoinPeerSelector;
  /** Hashes that were requested several times without an answer. */
  readonly #inVain: Uint8Array[] = [];

  constructor(approved: Block, use: BlockFetching, lowest: bigint | undefined) {
    [this.#approved, this.#use, this.#lowest] = [approved, use, lowest];
    this.#requester = new BlockRequester(approved, lowest);
    use.received.wantHashes((hash) => this.#requester.isRequested(hash));
    const onRequestedAgain = (questions: number, hash: Uint8Array) => {
      if (questions < questionsBeforeDoubt) return;
      this.#inVain.push(hash);
      use.received.nudge();
    };
    this.#sources = new JoinPeerSelector({ ...use, onRequestedAgain });
  }

  async run(signal: AbortSignal): Promise<readonly FetchedBlock[]> {
    this.#requestNext();
    while (!this.#requester.isDone) {
      const message = await this.#use.received.next(signal);
      this.#doubtCopies();
      if (message !== undefined && this.#requester.isRequested(message.block.hash)) await this.#receive(message);
    }
    return this.#requester.fetched;
  }

  [Symbol.dispose](): void {
    this.#sources[Symbol.dispose]();
  }

  /** Fetches again the copies that justify blocks which no peer has. */
  #doubtCopies(): void {
    const doubted = this.#inVain.splice(0).flatMap((hash) => this.#requester.justifiedBy(hash));
    if (doubted.length === 0) return;
    for (const hash of doubted) this.#copies.doubt(hash);
    this.#sources.beginAnew(doubted.flatMap((hash) => this.#copies.senderOf(hash) ?? []));
    this.#requester = new BlockRequester(this.#approved, this.#lowest);
    this.#requestNext();
  }

  async #receive({ block, peer }: ReceivedBlock): Promise<void> {
    const { blocks, emit } = this.#use;
    if (!this.#sources.wasRequested(block.hash, peer)) return;
    // A block with a wrong hash, or with justifications that its creator did not sign, is dropped. Unlike in rnode, it
    // is requested again when no other copy comes.
    if (block.number > 0n && !this.#isOfItsCreator(block)) {
      emit({ type: "invalidHashReceived", block, peer });
      this.#sources.distrust(block.hash, peer);
      return;
    }
    this.#sources.received(block.hash, peer);
    if (!blocks.has(block.hash) || this.#copies.isDoubted(block.hash)) {
      await blocks.prepare(block);
      blocks.put(block);
      this.#copies.received(block.hash, peer.id);
    }
    this.#take(block, peer);
    this.#requestNext();
  }

  #isOfItsCreator(block: Block): boolean {
    return equalBytes(hashBlock(block, this.#use.dialect), block.hash) && bindsReferences(this.#approved, block);
  }

  /** Requests the blocks that are wanted now; those stored already and not doubted are taken from there. */
  #requestNext(): void {
    for (let hashes = this.#requester.next(); hashes.length > 0; hashes = this.#requester.next()) {
      for (const hash of hashes) {
        const stored = this.#copies.isDoubted(hash) ? undefined : this.#use.blocks.get(hash);
        if (stored !== undefined) this.#take(stored, undefined);
        else this.#sources.ask(hash);
      }
    }
    if (this.#requester.isDone) this.#use.received.nudge();
  }

  #take(block: Block, peer: Peer | undefined): void {
    const { emit } = this.#use;
    const reception = this.#requester.receive(block);
    if (reception === undefined) return;
    emit({ type: "joinBlockReceived", block, peer });
    const { lowerBound } = reception;
    if (lowerBound !== undefined) emit({ type: "latestBlocksDownloaded", lowerBound });
  }
}
