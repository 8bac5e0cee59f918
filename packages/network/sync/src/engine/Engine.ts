import type { Peer } from "@vedette/network";
import {
  type Block,
  type CasperMessage,
  decodePacket,
  findBlockHash,
  type PacketType,
  WireError,
} from "@vedette/protocol";
import { CeremonyMaster } from "../ceremony/CeremonyMaster.js";
import { GenesisValidator } from "../ceremony/GenesisValidator.js";
import { SyncError } from "../SyncError.js";
import type { SyncStatus } from "../status/SyncStatus.js";
import { systemTimers } from "../Timers.js";
import { Initializing } from "./Initializing.js";
import { type Launch, launchDecision } from "./launch.js";
import { Running } from "./Running.js";
import type { CeremonyParts, SyncOptions } from "./SyncOptions.js";
import { peerBlockDecoder } from "./SyncOptions.js";

/** Figures that are counted on demand: every read looks at the status first. */
class LateCounts {
  readonly #running: Running | undefined;

  constructor(running: Running | undefined) {
    this.#running = running;
  }

  get bestHeight(): bigint | undefined {
    return this.#running?.bestHeight();
  }

  get unvalidatedBlocks(): number {
    return this.#running?.processor.unjudgedCount ?? 0;
  }
}

/**
 * Brings a node to its network's chain and keeps it there.
 *
 * @spec 40 §3
 */
export class Engine {
  readonly #options: SyncOptions;
  #initializing: Initializing | undefined;
  #running: Running | undefined;
  #master: CeremonyMaster | undefined;
  #validator: GenesisValidator | undefined;
  #isConnected = false;

  constructor(options: SyncOptions) {
    this.#options = options;
  }

  /** Returns the state of the synchronization. @spec 40 §3 */
  status(): SyncStatus {
    const running = this.#running;
    const { peers, dag } = this.#options;
    const isRunning = running !== undefined;
    const counted: Omit<SyncStatus, keyof LateCounts> = {
      state: isRunning ? "running" : this.#isConnected ? "initializing" : "waiting",
      approved: running?.approved,
      height: isRunning ? dag.height() : undefined,
      peers: peers.peers.length,
      waitingBlocks: running?.buffer.size ?? 0,
      waitingOfUnbonded: running?.processor.waitingOfUnbonded ?? 0,
      validatableBlocks: running?.processor.validatableCount ?? 0,
      offeredBlocks: running?.processor.offered.blocks ?? 0,
      revalidatedBlocks: this.#options.dag.revisions(),
      requestedBlocks: running?.retriever.size ?? 0,
    };
    return Object.assign(new LateCounts(running), counted);
  }

  /**
   * Fetches a state that is not there from peers; for the merging of blocks that came with an imported state.
   *
   * @throws {SyncError} `stateUnobtainable`
   */
  async provideState(root: Uint8Array, signal: AbortSignal): Promise<void> {
    await this.#running?.provideState(root, signal);
  }

  /** Whether a block with this hash is looked for. */
  isLookingFor(hash: Uint8Array): boolean {
    return this.#running?.wantsBlock(hash) ?? this.#initializing?.wantsBlock(hash) ?? false;
  }

  /** Handles a packet of a peer, sent or streamed; reports and drops one that cannot be read. @spec 40 §2 */
  async handlePacket(peer: Peer, typeId: string, content: Uint8Array): Promise<void> {
    if (!this.#isWorthReading(peer, typeId, content)) return;
    let message: CasperMessage;
    try {
      if (typeId === "BlockMessage") {
        const { dialect, decodePeerBlock = peerBlockDecoder(dialect) } = this.#options;
        message = { type: typeId, message: await decodePeerBlock(content) };
      } else message = decodePacket(typeId, content, this.#options.dialect.packetForm);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.#options.emit({ type: "packetRefused", peer, reason: error.message });
      return;
    }
    if (this.#running !== undefined) await this.#running.handle(message, peer);
    else if (message.type === "UnapprovedBlock") this.#validator?.handle(message.message, peer);
    else (this.#master ?? this.#initializing)?.handle(message, peer);
  }

  /**
   * Launches; founds or joins a network if the node has no chain; follows the chain until the signal.
   *
   * A node that has a chain, or that makes one, needs no peer: unlike rnode it waits for no connection.
   *
   * @spec 40 §3.1
   * @throws {SyncError} where the node cannot join; what keeps a genesis block from being made; what `checkChain` throws
   */
  async run(signal: AbortSignal): Promise<void> {
    const { approved, modes, emit, bootstrap, peers } = this.#options;
    const state = launchDecision(approved, modes);
    emit({ type: "launched", state });
    const stored = approved.get()?.candidate.block;
    if (state !== "ceremonyMaster" && bootstrap !== undefined && peers.peers.length === 0) {
      emit({ type: "waitingForFirstConnection" });
    }
    try {
      const begun = stored ?? (await this.#begin(state, signal));
      await this.#options.checkChain?.(begun);
      const running = this.#enterRunning(begun);
      await running.run(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** @returns the block that the chain begins with */
  async #begin(state: Launch, signal: AbortSignal): Promise<Block> {
    if (state === "ceremonyMaster") return this.#leadCeremony(signal);
    if (state === "genesisValidator") return this.#takePartInCeremony(signal);
    return this.#join(signal);
  }

  /** @spec 40 §3.4 */
  async #leadCeremony(signal: AbortSignal): Promise<Block> {
    const { dialect, peers, approved, emit, nowMs, timers = systemTimers } = this.#options;
    const { genesis, rules } = this.#ceremonyParts("ceremony master");
    this.#isConnected = true;
    this.#master = new CeremonyMaster({ genesis, rules, dialect, peers, approved, emit, nowMs, timers });
    const { candidate } = await this.#master.run(signal);
    return candidate.block;
  }

  /** @spec 40 §3.3 */
  async #takePartInCeremony(signal: AbortSignal): Promise<Block> {
    const { bootstrap, peers, emit } = this.#options;
    const { genesis } = this.#ceremonyParts("genesis validator");
    if (bootstrap === undefined) throw new SyncError({ code: "noBootstrap" });
    await genesis.prepare();
    const validator = new GenesisValidator({ genesis, bootstrap, peers, emit });
    this.#validator = validator;
    try {
      return await this.#join(signal);
    } finally {
      validator.close();
    }
  }

  async #join(signal: AbortSignal): Promise<Block> {
    const { peers } = this.#options;
    const initializing = new Initializing(this.#options);
    this.#initializing = initializing;
    await peers.firstConnection(signal);
    this.#isConnected = true;
    return initializing.run(signal);
  }

  #ceremonyParts(role: string): CeremonyParts {
    const { ceremony } = this.#options;
    if (ceremony === undefined) throw new SyncError({ code: "roleNotSupported", role });
    return ceremony;
  }

  /** Large packets that would be ignored anyway are not even decoded. */
  #isWorthReading(peer: Peer, typeId: string, content: Uint8Array): boolean {
    const running = this.#running;
    const initializing = this.#initializing;
    switch (typeId) {
      case "BlockMessage": {
        const hash = findBlockHash(content);
        return hash !== undefined && this.isLookingFor(hash);
      }
      case "ApprovedBlock":
      case "StoreItemsMessage":
        if (running !== undefined) return typeId === "StoreItemsMessage" && running.wantsItems;
        return initializing?.wantsFrom(peer, typeId) ?? false;
      case "FloorCacheResponse":
      case "MergeableEntryResponse":
        return this.#isOfOtherDialect(typeId) || (initializing?.wantsFrom(peer, typeId) ?? false);
      case "UnapprovedBlock":
        return this.#validator?.wantsFrom(peer) ?? false;
      case "BlockApproval":
        return this.#master?.wantsApproval(content.length) ?? false;
      default:
        return true;
    }
  }

  /** Whether a packet's type is of the other dialect. It is decoded anyway, so that its refusal is reported. */
  #isOfOtherDialect(typeId: PacketType): boolean {
    return !this.#options.dialect.packetForm.types.has(typeId);
  }

  #enterRunning(approved: Block): Running {
    const running = new Running(approved, this.#options);
    this.#running = running;
    this.#initializing = undefined;
    this.#master = undefined;
    this.#validator = undefined;
    this.#options.emit({ type: "enteredRunning", block: approved });
    return running;
  }
}
