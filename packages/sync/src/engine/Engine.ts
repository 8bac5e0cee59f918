import type { Peer } from "@vedette/network";
import { type Block, type CasperMessage, checkDeploySignatures, decodePacket, WireError } from "@vedette/protocol";
import type { SyncStatus } from "../status/SyncStatus.js";
import { blockHashOf } from "./blockHashOf.js";
import { Initializing } from "./Initializing.js";
import { launchDecision } from "./launch.js";
import { Running } from "./Running.js";
import type { SyncOptions } from "./SyncOptions.js";

/**
 * Brings a node to its network's chain and keeps it there.
 *
 * @spec 40 §3
 */
export class Engine {
  readonly #options: SyncOptions;
  #initializing: Initializing | undefined;
  #running: Running | undefined;
  #isConnected = false;

  constructor(options: SyncOptions) {
    this.#options = options;
  }

  /** What the synchronization is doing. @spec 40 §3 */
  status(): SyncStatus {
    const running = this.#running;
    const { peers, dag } = this.#options;
    const isRunning = running !== undefined;
    return {
      state: !this.#isConnected ? "waiting" : isRunning ? "running" : "initializing",
      approved: running?.approved,
      height: isRunning ? dag.height() : undefined,
      peers: peers.peers.length,
      waitingBlocks: running?.buffer.size ?? 0,
      readyBlocks: running?.processor.readyCount ?? 0,
      requestedBlocks: running?.retriever.size ?? 0,
    };
  }

  /**
   * Fetches a state that is not there from peers; for the merging of blocks that came with an imported state.
   *
   * @throws {SyncError} `stateUnobtainable`
   */
  async provideState(root: Uint8Array, signal: AbortSignal): Promise<void> {
    await this.#running?.provideState(root, signal);
  }

  /** Takes a packet of a peer, sent or streamed; what cannot be read is told and dropped. @spec 40 §2 */
  async handlePacket(peer: Peer, typeId: string, content: Uint8Array): Promise<void> {
    if (!this.#isWorthReading(peer, typeId, content)) return;
    let message: CasperMessage;
    try {
      message = decodePacket(typeId, content);
      // Quirk 40 §1.1: a block with a badly signed deploy cannot even be read.
      if (message.type === "BlockMessage") checkDeploySignatures(message.message);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.#options.emit({ type: "packetRefused", peer, reason: error.message });
      return;
    }
    if (this.#running !== undefined) await this.#running.handle(message, peer);
    else this.#initializing?.handle(message, peer);
  }

  /**
   * Launches, joins if the node has no chain, and follows the chain until the signal.
   *
   * @spec 40 §3.1
   * @throws {SyncError} where the node cannot join
   */
  async run(signal: AbortSignal): Promise<void> {
    const { approved, modes, emit, peers } = this.#options;
    const state = launchDecision(approved, modes);
    emit({ type: "launched", state });
    const stored = approved.get()?.candidate.block;
    if (stored !== undefined) this.#enterRunning(stored);
    else this.#initializing = new Initializing(this.#options);
    try {
      if (peers.peers.length === 0) emit({ type: "waitingForFirstConnection" });
      await peers.firstConnection(signal);
      this.#isConnected = true;
      const running = this.#running ?? this.#enterRunning(await this.#initializing!.run(signal));
      await running.run(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** Large packets that would be ignored anyway are not even decoded. */
  #isWorthReading(peer: Peer, typeId: string, content: Uint8Array): boolean {
    const running = this.#running;
    const initializing = this.#initializing;
    switch (typeId) {
      case "BlockMessage": {
        const hash = blockHashOf(content);
        return hash !== undefined && (running?.wantsBlock(hash) ?? initializing?.wantsBlock(hash) ?? false);
      }
      case "ApprovedBlock":
      case "StoreItemsMessage":
        if (running !== undefined) return typeId === "StoreItemsMessage" && running.wantsItems;
        return initializing?.wantsFrom(peer, typeId) ?? false;
      case "UnapprovedBlock":
      case "BlockApproval":
        return false;
      default:
        return true;
    }
  }

  #enterRunning(approved: Block): Running {
    const running = new Running(approved, this.#options);
    this.#running = running;
    this.#initializing = undefined;
    this.#options.emit({ type: "enteredRunning", block: approved });
    return running;
  }
}
