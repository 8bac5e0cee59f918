import type { Peer } from "@vedette/network";
import { type Block, blockRanges, type CasperMessage, WireError } from "@vedette/protocol";
import { BlockBuffer } from "../blocks/BlockBuffer.js";
import { BlockProcessor } from "../blocks/BlockProcessor.js";
import { BlockRetriever } from "../blocks/BlockRetriever.js";
import { RangePeerSelector } from "../history/RangePeerSelector.js";
import { RangeSync } from "../history/RangeSync.js";
import { fetchState, type ReceivedItems } from "../join/fetchState.js";
import { Mailbox } from "../join/Mailbox.js";
import { withinTime } from "../join/withinTime.js";
import { MissingBlocks } from "../recover/MissingBlocks.js";
import { requestTips, tipsAreStale } from "../recover/staleTips.js";
import { SyncError } from "../SyncError.js";
import { FloorServer } from "../serve/FloorServer.js";
import { StoreItemsServer } from "../serve/StoreItemsServer.js";
import { serveApprovedBlockRequest } from "../serve/serveApprovedBlockRequest.js";
import { serveBlockRange } from "../serve/serveBlockRange.js";
import { serveBlockRequest, serveForkChoiceTipRequest, serveHasBlockRequest } from "../serve/serveBlockRequests.js";
import { type MergeableEntryContext, serveMergeableEntry } from "../serve/serveMergeableEntry.js";
import { ClaimedHeights } from "../status/ClaimedHeights.js";
import { every, systemTimers, type Timers } from "../Timers.js";
import { defaultSyncTimes, peerBlockDecoder, type SyncOptions } from "./SyncOptions.js";

/** This many waiting blocks are a sign that more are missing than the newest ones. */
const waitingWhenBehind = 16;
/** How long the fetching of one branch's state may hold up the blocks. */
const branchStateMs = 120_000;

/**
 * A node that has a chain: follows it, and answers peers.
 *
 * @spec 40 §3.2, §4
 */
export class Running {
  readonly approved: Block;
  readonly buffer: BlockBuffer;
  readonly retriever: BlockRetriever;
  readonly processor: BlockProcessor;
  readonly #options: SyncOptions;
  readonly #timers: Timers;
  readonly #storeItems: StoreItemsServer;
  readonly #floors: FloorServer | undefined;
  readonly #items = new Mailbox<ReceivedItems>(1);
  readonly #greeted = new Set<string>();
  readonly #heights = new ClaimedHeights();
  readonly #ranges: RangeSync | undefined;
  readonly #missing: MissingBlocks;

  /** @param approved the block that the chain began with */
  constructor(approved: Block, options: SyncOptions) {
    const { peers, emit, nowMs, store, blocks, dag, validation, dialect, stateExport, floors } = options;
    const { packetForm } = dialect;
    this.approved = approved;
    this.#options = options;
    this.#timers = options.timers ?? systemTimers;
    this.buffer = new BlockBuffer(store);
    this.#missing = new MissingBlocks({ store, blocks, peers, dialect, emit });
    this.retriever = new BlockRetriever({
      ...{ peers, emit, nowMs },
      limits: options.retriever,
      missed: (hash) => this.processor.doubtWaiting(hash),
      givenUp: (hash) => this.processor.giveUp(hash),
    });
    this.processor = new BlockProcessor({
      ...{ blocks, dag, validation, peers, approved, dialect, emit, nowMs },
      timers: this.#timers,
      ...{ buffer: this.buffer, retriever: this.retriever, heights: this.#heights },
      provideState: (root, signal) => this.provideState(root, signal),
      isFetchedByHeights: () => this.#ranges?.target !== undefined,
    });
    this.#storeItems = new StoreItemsServer({ state: stateExport, peers, packetForm, emit });
    this.#floors = floors && new FloorServer({ floors, peers, packetForm, emit });
    this.#ranges = this.#rangesOf(options);
  }

  /** The height of the chain that enough validators state. @spec 40 §4.8 */
  bestHeight(): bigint {
    const { dag } = this.#options;
    return this.#heights.best({
      ...{
        stakes: dag.stakes(),
        height: dag.height(),
        waitingBlocks: Math.max(0, this.buffer.size - this.processor.waitingOfUnbonded),
      },
      hasSpoken: (key) => dag.hasSpoken(key),
    });
  }

  /** Whether a block with this hash was requested. */
  wantsBlock(hash: Uint8Array): boolean {
    return this.retriever.isRequested(hash) || this.#missing.isWanted(hash);
  }

  /** Whether state items are waited for. */
  get wantsItems(): boolean {
    return this.#items.isOpen;
  }

  /** Handles a message of a peer. @spec 40 §2, §3.2 */
  async handle({ type, message }: CasperMessage, peer: Peer): Promise<void> {
    switch (type) {
      case "BlockHashMessage":
        return this.processor.announced(message.hash, peer, "broadcast");
      case "HasBlock":
        return this.processor.announced(message.hash, peer, "hasBlock");
      case "BlockMessage":
        if (await this.#missing.take(message, peer)) return;
        return this.processor.receive(message, peer);
      case "BlockRequest":
        return serveBlockRequest(message.hash, peer, this.#options);
      case "HasBlockRequest":
        return serveHasBlockRequest(message.hash, peer, this.#options);
      case "ForkChoiceTipRequest":
        return serveForkChoiceTipRequest(peer, this.#options);
      case "ApprovedBlockRequest":
        return serveApprovedBlockRequest(message.trimState, peer, this.#options);
      case "StoreItemsMessageRequest":
        return this.#storeItems.request(message, peer);
      case "StoreItemsMessage":
        this.#items.put({ items: message, peer });
        return;
      case "FloorCacheRequest":
        this.#floors?.request(message.hashes, peer);
        return;
      case "MergeableEntryRequest":
        this.#serveEntry(message.blockHash, peer);
        return;
      default:
        return;
    }
  }

  /** A node that serves no states does not answer it either. @spec 61 §16.2 */
  #serveEntry(blockHash: Uint8Array, peer: Peer): void {
    const { entries, stateExport, blocks, peers, emit, dialect } = this.#options;
    const serving: MergeableEntryContext = { peers, emit, packetForm: dialect.packetForm };
    if (entries !== undefined && stateExport !== undefined)
      serveMergeableEntry(blockHash, peer, { ...serving, blocks, entries });
  }

  /**
   * Continues with the waiting blocks, requests tips from peers, and validates until the signal.
   * @spec 40 §3.2, §4.6, §4.7
   */
  async run(signal: AbortSignal): Promise<void> {
    const { emit, peers, nowMs } = this.#options;
    const times = { ...defaultSyncTimes, ...this.#options.times };
    const beat = { timers: this.#timers, signal };
    this.processor.resume();
    this.#greetNewPeers();
    if (peers.peers.length === 0) void this.#greetFirstPeer(signal);
    await Promise.all([
      this.processor.run(signal),
      this.#ranges?.run(signal),
      every(times.retrieverMs, beat, () => {
        this.retriever.requestAgain();
        this.processor.requestLeft();
        this.#missing.ask();
        this.#greetNewPeers();
      }),
      every(times.maintenanceMs, beat, () => {
        this.processor.requestPendants();
        return this.processor.doubtCircle();
      }),
      every(times.staleCheckMs, beat, () => {
        if (!tipsAreStale(this.#options, nowMs(), times.staleThresholdMs)) return;
        emit({ type: "tipsStale", thresholdMs: times.staleThresholdMs });
        void requestTips(peers, emit);
      }),
    ]);
  }

  /** @spec 40 §18 */
  #rangesOf({
    questions,
    ranges,
    peers,
    blocks,
    dag,
    emit,
    dialect,
    decodePeerBlock = peerBlockDecoder(dialect),
  }: SyncOptions): RangeSync | undefined {
    if (questions === undefined) return undefined;
    questions.answer(blockRanges, (_, question) =>
      serveBlockRange(question, { blocks, dag, timers: this.#timers }).catch((error: unknown) => {
        if (error instanceof WireError) return undefined;
        throw error;
      }),
    );
    return new RangeSync({
      ...{
        sources: new RangePeerSelector(peers, questions),
        processor: this.processor,
        dag,
        emit,
        timers: this.#timers,
      },
      decodePeerBlock,
      isBehind: () =>
        this.buffer.size >= waitingWhenBehind || this.bestHeight() > dag.height() + BigInt(waitingWhenBehind),
      limits: ranges,
    });
  }

  /** Sends a request to the first peer at once; a node that has a chain works without peers. */
  async #greetFirstPeer(signal: AbortSignal): Promise<void> {
    try {
      await this.#options.peers.firstConnection(signal);
    } catch {
      return;
    }
    this.retriever.requestUnasked();
    this.#greetNewPeers();
  }

  /** Requests the tips of a new peer, which may have blocks that the others did not announce. */
  #greetNewPeers(): void {
    const { peers, emit } = this.#options;
    const newPeers = peers.peers.filter(({ id }) => !this.#greeted.has(id));
    this.#greeted.clear();
    for (const { id } of peers.peers) this.#greeted.add(id);
    if (newPeers.length > 0) void requestTips(peers, emit);
  }

  /**
   * Fetches the state that a block goes on from, where it is not there.
   *
   * A node that began at an imported state does not have the states beside it, which blocks of other branches go on
   * from; rnode cannot validate such blocks.
   *
   * @throws {SyncError} `stateUnobtainable`
   */
  async provideState(root: Uint8Array, signal: AbortSignal): Promise<void> {
    const { peers, stateImport: state, emit, dialect } = this.#options;
    if (await state.hasRoot(root)) return;
    const source = this.#options.bootstrap ?? peers.randomPeers(1)[0];
    if (source === undefined)
      throw new SyncError({ code: "stateUnobtainable", reason: "there is no peer to request it from" });
    const timers = this.#timers;
    const { packetForm } = dialect;
    const use = { peers, bootstrap: source, state, received: this.#items, emit, timers, packetForm };
    try {
      await withinTime(branchStateMs, { timers, signal }, (limit) => fetchState(root, use, limit));
    } finally {
      this.#items.want();
    }
  }
}
