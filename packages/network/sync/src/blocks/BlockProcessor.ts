import { equalBytes } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import type { Peer } from "@vedette/network";
import { type Block, type Dialect, encodePacket, hashBlock, hashKey } from "@vedette/protocol";
import { isDiskFull, type WritableTables } from "@vedette/store";
import { OutOfOrderBlocks } from "../history/OutOfOrderBlocks.js";
import type { BlockOutcome, BlockProcessorPort, BlockStoreView, DagView, ReadyBlock } from "../ports/ChainPort.js";
import type { PeersPort } from "../ports/PeersPort.js";
import type { EmitSyncEvent } from "../SyncEvent.js";
import type { ClaimedHeights } from "../status/ClaimedHeights.js";
import type { Timers } from "../Timers.js";
import type { BlockBuffer, Resolution } from "./BlockBuffer.js";
import { BlockCopyOrigins } from "./BlockCopyOrigins.js";
import { BlockDependencyScheduler } from "./BlockDependencyScheduler.js";
import type { BlockRetriever } from "./BlockRetriever.js";
import { CyclicDependencyResolver } from "./CyclicDependencyResolver.js";
import { HashMismatchTracker } from "./HashMismatchTracker.js";
import { notOfInterest } from "./interest.js";
import { isLarge, LargeBlocks } from "./LargeBlocks.js";
import { RecentFailures } from "./RecentFailures.js";

/** What a processor works with. @spec 40 §4.4 */
export interface BlockProcessorOptions {
  readonly blocks: BlockStoreView;
  readonly dag: DagView;
  readonly buffer: BlockBuffer;
  readonly retriever: BlockRetriever;
  readonly processor: BlockProcessorPort;
  /** Is told of well-formed blocks. */
  readonly heights?: Pick<ClaimedHeights, "note">;
  readonly peers: PeersPort;
  /** The block that the chain began with. */
  readonly approved: Block;
  readonly dialect: Dialect;
  readonly emit: EmitSyncEvent;
  readonly nowMs: () => number;
  readonly timers: Timers;
  /** Makes a state usable that a block goes on from, wherever it has to come from. */
  readonly provideState?: (root: Uint8Array, signal: AbortSignal) => Promise<void>;
  /** Whether blocks are being fetched by heights, so that what is absent comes without being asked for. @spec 40 §18 */
  readonly isFetchedByHeights?: () => boolean;
  /** Blocks that may wait for others; more are dropped and fetched again later. */
  readonly maxWaiting?: number;
  /** Blocks older than this are not announced to peers, which have them anyway. */
  readonly announceAgeMs?: number;
}

/** How a block was judged. */
interface Settling {
  readonly durationMs: number;
  readonly isAwaited: boolean;
  /** Of the buffer, where it was written together with the block. */
  readonly resolution: Resolution | undefined;
}

/** Blocks that are judged together; each holds its deploys in memory. */
const maxTogether = 16;
const defaultMaxWaiting = 2_000_000;
/** Blocks of strangers that are known as such. */
const maxUnknownPeers = 10_000;
const defaultAnnounceAgeMs = 600_000;
/** Blocks that are taken in unjudged in one run. @spec 61 §16.5 */
const maxAdmitted = 512;

/**
 * Takes blocks in, in any order, and has them validated in an order that their dependencies allow.
 *
 * A block is stored as soon as it is well-formed; from then on only its hash is in memory, so any number of blocks
 * may wait.
 *
 * @spec 40 §4.4
 */
export class BlockProcessor {
  readonly #use: BlockProcessorOptions;
  /** Hashes whose dependencies are in the DAG. */
  readonly #ready: Uint8Array[] = [];
  /** Hashes of stored blocks that are to be placed. */
  readonly #stored: Uint8Array[] = [];
  /** Whatever is being stored, stands in one of the two lists, or is being validated. */
  readonly #inProcess = new Set<string>();
  readonly #failures: RecentFailures;
  readonly #copies = new BlockCopyOrigins();
  readonly #wrongCopies = new HashMismatchTracker();
  readonly #placement: BlockDependencyScheduler;
  readonly #large: LargeBlocks;
  readonly #offers = new OutOfOrderBlocks();
  readonly #circles: CyclicDependencyResolver;
  /** Of the blocks that wait, those that somebody without stake made, as far as was known when they came. */
  readonly #strangers = new Map<string, Uint8Array>();
  #admitted = 0;
  #isJudging = false;
  #wake: () => void = () => {};

  constructor(use: BlockProcessorOptions) {
    this.#use = use;
    this.#failures = new RecentFailures(use.nowMs);
    this.#large = new LargeBlocks(use.timers);
    this.#circles = new CyclicDependencyResolver({
      ...{ blocks: use.blocks, dag: use.dag, buffer: use.buffer, timers: use.timers },
      isIdle: () => this.isIdle,
      fetchAnew: (hash) => this.#fetchAnew(hash),
    });
    this.#placement = new BlockDependencyScheduler({
      ...{ blocks: use.blocks, dag: use.dag, buffer: use.buffer, retriever: use.retriever, emit: use.emit },
      ...{ failures: this.#failures, copies: this.#copies, maxWaiting: use.maxWaiting ?? defaultMaxWaiting },
      isIgnored: (hash) => this.isIgnored(hash),
      enqueue: (hash) => this.#enqueue(hash),
      retry: (hash) => this.#reconsiderNow(hash),
      isFed: () => use.isFetchedByHeights?.() === true && !this.isIdle,
    });
  }

  /** Stored blocks that could not be judged. @spec 40 §17.3 */
  get unjudgedCount(): number {
    return this.#failures.unjudged;
  }

  /** Blocks that wait to be validated. */
  get readyCount(): number {
    return this.#ready.length;
  }

  /** Blocks that wait for others and are a stranger's: any number can be made, that wait for what nobody has. */
  get strangersWaiting(): number {
    return this.#strangers.size;
  }

  /** What was offered and is not judged yet. */
  get offered(): { readonly blocks: number; readonly bytes: number } {
    return { blocks: this.#offers.size, bytes: this.#offers.bytes };
  }

  /** Whether nothing is being judged, nor about to be. */
  get isIdle(): boolean {
    return !this.#isJudging && this.#ready.length === 0 && this.#stored.length === 0;
  }

  /** Whether a hash or a block needs no attention. @spec 40 §4.1 */
  isIgnored(hash: Uint8Array): boolean {
    return this.#inProcess.has(hashKey(hash)) || this.#use.buffer.isWaiting(hash) || this.#use.dag.has(hash);
  }

  /** Of a block that waits, another copy is taken where the stored one is doubted. */
  #isWanted(hash: Uint8Array): boolean {
    if (!this.isIgnored(hash)) return true;
    const isUnderWay = this.#inProcess.has(hashKey(hash)) || this.#use.dag.has(hash);
    return !isUnderWay && this.#copies.isDoubted(hash);
  }

  /**
   * A peer tells of a block: finds it in the store, or asks for it.
   *
   * @spec 40 §2, §4.2
   */
  announced(hash: Uint8Array, peer: Peer, kind: "broadcast" | "hasBlock"): void {
    const { emit, blocks, retriever } = this.#use;
    if (hash.length !== 32 || !this.#isWanted(hash)) {
      emit({ type: "hashIgnored", kind, hash, peer });
      return;
    }
    // What was refused and forgotten is fetched again when something refers to it, not whenever somebody names it.
    const { buffer, dag } = this.#use;
    if (!blocks.has(hash) && this.#failures.isRecent(hash, dag.revisions()) && !buffer.isAwaited(hash)) {
      emit({ type: "hashIgnored", kind, hash, peer });
      return;
    }
    emit({ type: "hashAccepted", kind, hash, peer });
    const isDoubted = this.#copies.isDoubted(hash);
    const avoided = isDoubted ? this.#copies.senderOf(hash) : undefined;
    const reason = kind === "broadcast" ? "HashBroadcastRecieved" : "HasBlockMessageReceived";
    if (blocks.has(hash) && !isDoubted && !retriever.isRequested(hash)) this.reconsider(hash);
    else retriever.admit(hash, peer, reason, { avoided });
  }

  /** Nobody has what blocks wait for, so far: where a peer made it up, another one gives the block as it is. @spec 40 §4.2 */
  doubtWaiting(hash: Uint8Array): void {
    const { buffer } = this.#use;
    for (const one of buffer.waitingFor(hash)) this.#fetchAnew(one);
  }

  /** Blocks that wait for one another are looked for, and doubted. @spec 40 §4.8 */
  doubtCircle(): Promise<void> {
    return this.#circles.seek();
  }

  /** Another peer's copy takes the place of the stored one. */
  #fetchAnew(hash: Uint8Array): void {
    this.#copies.doubt(hash);
    const avoided = this.#copies.senderOf(hash);
    this.#use.retriever.admit(hash, undefined, "MissingDependencyRequested", { avoided });
  }

  /**
   * A peer sent a block. Only what was asked for is taken: nobody sends blocks unasked. Done at once, but for a large
   * block, whose parts are written one after the other.
   *
   * @spec 40 §4.4 steps 1–3
   */
  async receive(block: Block, peer: Peer): Promise<void> {
    const { emit, buffer, retriever, approved, processor } = this.#use;
    if (!this.#isWanted(block.hash) || !retriever.isRequested(block.hash)) {
      emit({ type: "blockIgnored", block, peer });
      return;
    }
    emit({ type: "blockAccepted", block, peer });
    const reason = notOfInterest(block, approved, buffer.isAwaited(block.hash));
    if (reason !== undefined) {
      retriever.forget(block.hash);
      emit({ type: "blockNotOfInterest", block, reason });
      return;
    }
    const malformed = processor.checkForm(block) ?? this.#forgery(block);
    if (malformed !== undefined) {
      emit({ type: "blockMalformed", block, reason: malformed });
      retriever.distrust(block.hash, peer);
      return;
    }
    await this.#keep(block, peer);
  }

  /**
   * A peer gave a block of some heights that it was asked for. Until its turn comes it is held in memory alone, since
   * those below it come before it.
   *
   * @returns why it is no block of a chain
   * @spec 40 §18
   */
  async offer(block: Block, peer: Peer): Promise<string | undefined> {
    const { emit, retriever, approved, processor } = this.#use;
    if (this.isKnown(block.hash)) return undefined;
    if (notOfInterest(block, approved, false) !== undefined) return undefined;
    const malformed = processor.checkForm(block) ?? this.#forgery(block);
    if (malformed !== undefined) return malformed;
    const unmet = this.#placement.unmetOf(block);
    if (unmet === undefined) return "a parent or justification is no hash.";
    if (isLarge(block) || this.#copies.isDoubted(block.hash)) {
      await this.#keep(block, peer);
      return undefined;
    }
    this.#use.heights?.note(block);
    this.#offers.add(block, unmet);
    emit({ type: "blockProcessingStarted", block });
    retriever.forget(block.hash);
    if (unmet.length === 0) this.#enqueue(block.hash);
    return undefined;
  }

  /** What blocks that were offered wait for did not come: they are stored, and it is looked for. @spec 40 §18 */
  async keepOffers(peer: Peer): Promise<void> {
    for (const block of this.#offers.takeWaiting()) if (!this.isIgnored(block.hash)) await this.#keep(block, peer);
  }

  async #keep(block: Block, peer: Peer): Promise<void> {
    const { emit, blocks, retriever } = this.#use;
    if (!blocks.has(block.hash) || this.#failures.count(block.hash) > 0 || this.#copies.isDoubted(block.hash)) {
      if (isLarge(block)) await this.#prepare(block);
      blocks.put(block);
      this.#large.handled(block);
      this.#copies.received(block.hash, peer.id);
    }
    this.#use.heights?.note(block);
    emit({ type: "blockProcessingStarted", block });
    if (!this.#lacksSettled(block) || !(await this.#admit(block))) this.#placement.place(block, peer);
    if (this.#use.buffer.isWaiting(block.hash)) this.#noteStranger(block);
    retriever.forget(block.hash);
    this.#placement.queryOnAfter(block.hash, peer);
  }

  #noteStranger({ hash, sender }: Block): void {
    if (!this.#use.dag.isBonded(sender) && this.#strangers.size < maxUnknownPeers)
      this.#strangers.set(hashKey(hash), hash);
  }

  /**
   * A node that began at a state lacks blocks beside it, and what these stand on: one that another block needs, by
   * somebody who is known, may be taken in unjudged.
   *
   * @spec 61 §16.5
   */
  #canBeSettled(block: Block): boolean {
    const { approved, buffer, dag, processor } = this.#use;
    if (processor.admitSettled === undefined || this.#admitted >= maxAdmitted) return false;
    if (approved.parents.length === 0 || block.number > approved.number) return false;
    return buffer.isAwaited(block.hash) && dag.knowsValidator(block.sender);
  }

  /** Whether such a block cannot even be judged, since something that it refers to is not here. */
  #lacksSettled(block: Block): boolean {
    if (!this.#canBeSettled(block)) return false;
    const unmet = this.#placement.unmetOf(block);
    return unmet !== undefined && unmet.length > 0;
  }

  /** @returns whether it is in the DAG now @spec 61 §16.5 */
  async #admit(block: Block): Promise<boolean> {
    const { emit, processor } = this.#use;
    const key = hashKey(block.hash);
    this.#admitted += 1;
    this.#inProcess.add(key);
    try {
      if ((await processor.admitSettled?.(block)) !== true) return false;
    } finally {
      this.#inProcess.delete(key);
    }
    emit({ type: "blockAdmitted", block });
    this.#release(block.hash, undefined);
    return true;
  }

  /** Another copy that comes meanwhile is not looked at. */
  async #prepare(block: Block): Promise<void> {
    const key = hashKey(block.hash);
    this.#inProcess.add(key);
    try {
      await this.#use.blocks.prepare(block);
    } finally {
      this.#inProcess.delete(key);
    }
  }

  /** Nobody has a hash. @spec 40 §4.8 */
  giveUp(hash: Uint8Array): void {
    this.#placement.giveUp(hash);
  }

  /** A stored block is to be tried, or tried again; not at once, where it has just been refused. */
  reconsider(hash: Uint8Array): void {
    if (!this.#failures.isRecent(hash, this.#use.dag.revisions())) this.#reconsiderNow(hash);
  }

  #reconsiderNow(hash: Uint8Array): void {
    if (this.isIgnored(hash)) return;
    this.#inProcess.add(hashKey(hash));
    this.#stored.push(hash);
    this.#wake();
  }

  /** Goes on after a start: with what waited when the process ended. @spec 40 §3.2 */
  resume(): void {
    const { buffer, dag, blocks } = this.#use;
    for (const hash of buffer.recover((one) => dag.has(one))) if (blocks.has(hash)) this.reconsider(hash);
    this.requestPendants();
  }

  /** Asks for what was left to the fetching by heights, where that is over, or has nothing left to judge. @spec 40 §18 */
  requestLeft(): void {
    if (this.#placement.takeLeft()) this.requestPendants();
  }

  /** Whether a block needs no attention, that was offered too. */
  isKnown(hash: Uint8Array): boolean {
    return this.isIgnored(hash) || this.#offers.has(hash);
  }

  /** Fetches what blocks wait for, from the store or from peers. @spec 40 §4.6 */
  requestPendants(): void {
    const { buffer, blocks, retriever } = this.#use;
    // Some wait no longer, without having been judged.
    for (const [key, hash] of this.#strangers) if (!buffer.isWaiting(hash)) this.#strangers.delete(key);
    for (const hash of buffer.pendants()) {
      const avoided = this.#copies.isDoubted(hash) ? this.#copies.senderOf(hash) : undefined;
      if (blocks.has(hash) && !this.#copies.isDoubted(hash)) this.reconsider(hash);
      else retriever.admit(hash, undefined, "MissingDependencyRequested", { avoided });
    }
  }

  /** Validates what is ready, until the signal. Rejects only where a store fails. @spec 40 §4.4 steps 4–8 */
  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener("abort", () => this.#wake(), { once: true });
    while (!signal.aborted) {
      const ready = this.#ready.splice(0, maxTogether);
      if (ready.length > 0) {
        this.#isJudging = true;
        await this.#validate(ready, signal);
        this.#isJudging = false;
        continue;
      }
      const stored = this.#stored.shift();
      if (stored !== undefined) {
        await this.#placeStored(stored);
        // Walking back over many stored blocks must not hold up the messages of peers.
        await this.#use.timers.yieldNow();
        continue;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        if (signal.aborted || this.#ready.length > 0 || this.#stored.length > 0) resolve();
      });
    }
  }

  async #placeStored(hash: Uint8Array): Promise<void> {
    this.#inProcess.delete(hashKey(hash));
    const block = this.#use.blocks.get(hash);
    if (block === undefined || this.isIgnored(hash)) return;
    if (!this.#lacksSettled(block) || !(await this.#admit(block))) this.#placement.place(block, undefined);
  }

  #enqueue(hash: Uint8Array): void {
    this.#strangers.delete(hashKey(hash));
    this.#inProcess.add(hashKey(hash));
    this.#ready.push(hash);
    this.#wake();
  }

  /** Blocks that are ready together are judged together, as the reference judges them in parallel. @spec 40 §5.8 */
  async #validate(hashes: readonly Uint8Array[], signal: AbortSignal): Promise<void> {
    const { blocks, buffer, processor, nowMs, emit } = this.#use;
    const ready: ReadyBlock[] = [];
    const again: Block[] = [];
    const resolutions = new Map<Block, Resolution | undefined>();
    for (const hash of hashes) {
      await this.#large.yieldNow();
      const block = this.#offers.find(hash) ?? blocks.get(hash);
      if (block === undefined) continue;
      this.#large.handled(block);
      await this.#large.yieldNow();
      if (!this.#placement.isComplete(block)) {
        if (this.#offers.has(hash)) blocks.put(block);
        again.push(block);
        continue;
      }
      // What can be forged in a block's name is held against it only in a second copy (see `receive`).
      const isAwaited = buffer.isAwaited(hash) && this.#copies.isSecond(hash);
      if (this.#failures.isFutile(hash, this.#seen(isAwaited))) continue;
      const lack = await this.#provideState(block, signal);
      const recorded = (tables: WritableTables) => void resolutions.set(block, buffer.resolveIn(tables, hash));
      const isNeeded = isAwaited && this.#isNeeded(hash);
      if (lack === undefined) ready.push({ block, isAwaited, isNeeded, recorded });
      else this.#settle(block, lack, { durationMs: 0, isAwaited, resolution: undefined });
    }
    for (const { block } of ready) emit({ type: "blockValidationStarted", block });
    const [only, second] = ready;
    if (only !== undefined && second === undefined) this.#reportNext(only.block);
    const startedMs = nowMs();
    const outcomes = await processor.process(ready).catch((error: unknown) => {
      if (isDiskFull(error)) throw error;
      return ready.map(() => failed(error));
    });
    const durationMs = (nowMs() - startedMs) / ready.length;
    for (const [index, { block, isAwaited }] of ready.entries())
      this.#settle(block, outcomes[index]!, { durationMs, isAwaited, resolution: resolutions.get(block) });
    for (const hash of hashes) {
      this.#inProcess.delete(hashKey(hash));
      this.#offers.remove(hash);
    }
    for (const block of again) this.#placement.place(block, undefined);
    for (const [index, { block }] of ready.entries()) {
      const outcome = outcomes[index]!;
      const isUndecidable = outcome.kind === "failed" && !isOfMachine(outcome);
      if (isUndecidable && this.#canBeSettled(block)) await this.#admit(block);
    }
    for (const [index, { block, isAwaited }] of ready.entries())
      if (!isAwaited && !isOfMachine(outcomes[index]!)) this.#seekSecond(block.hash);
  }

  /** Others wait for a block that was refused without being recorded: another copy decides. @spec 40 §4.2 */
  #seekSecond(hash: Uint8Array): void {
    const { buffer, dag, retriever } = this.#use;
    if (dag.has(hash) || !buffer.isAwaited(hash)) return;
    if (this.#failures.isFutile(hash, this.#seen(false))) return;
    retriever.admit(hash, undefined, "MissingDependencyRequested", { avoided: this.#copies.senderOf(hash) });
  }

  /** Tells of the block that is most likely to be validated after this one. */
  #reportNext(block: Block): void {
    const { buffer, blocks, processor } = this.#use;
    if (processor.announceNext === undefined) return;
    const hash = buffer.waitingOnlyFor(block.hash);
    const next = this.#offers.waitingOnlyFor(block.hash) ?? (hash === undefined ? undefined : blocks.get(hash));
    if (next?.parents.length !== 1 || !equalBytes(next.parents[0]!, block.hash)) return;
    if (equalBytes(next.body.state.preStateHash, block.body.state.postStateHash)) processor.announceNext(next, block);
  }

  /** Fetches the state that a block goes on from, where it is absent. @returns why it cannot be had */
  async #provideState(block: Block, signal: AbortSignal): Promise<BlockOutcome | undefined> {
    const { provideState, dag } = this.#use;
    const [parent, second] = block.parents;
    const { preStateHash } = block.body.state;
    if (provideState === undefined || parent === undefined || second !== undefined) return undefined;
    // Only a state that a known block leads to is looked for: a stranger must not send us after others.
    const known = dag.postState(parent);
    if (known === undefined || !equalBytes(known, preStateHash)) return undefined;
    return provideState(preStateHash, signal).then(() => undefined, failed);
  }

  #settle(block: Block, outcome: BlockOutcome, { durationMs, isAwaited, resolution }: Settling): void {
    const { emit, dag } = this.#use;
    if (outcome.kind === "failed") {
      emit({ type: "blockFailed", block, reason: outcome.reason });
      // Of blocks that were judged together some were recorded before the machine failed.
      if (dag.has(block.hash)) this.#release(block.hash, resolution);
      else this.#note(block, outcome, isAwaited);
      return;
    }
    const status = outcome.kind === "valid" ? "Valid" : outcome.status;
    emit({ type: "blockValidated", block, status, durationMs });
    if (outcome.kind === "valid" || outcome.inDag) {
      this.#announce(block);
      this.#release(block.hash, resolution);
      return;
    }
    this.#note(block, outcome, isAwaited);
    this.#copies.refused(block.hash);
    this.#forgetStrangers(block);
  }

  /** Anybody can sign any number of blocks: one that was refused, and that nothing refers to, takes no room on the disk. */
  #forgetStrangers({ hash, sender }: Block): void {
    const { blocks, buffer, dag } = this.#use;
    if (!dag.isBonded(sender) && !buffer.isAwaited(hash)) blocks.forget?.(hash);
  }

  /** A block that is not in the DAG may be tried again; not for ever, where it would fail in the same way. */
  #note(block: Block, outcome: BlockOutcome, isAwaited: boolean): void {
    const { dag, emit } = this.#use;
    const isException = outcome.kind === "failed";
    const circumstances = { isException, revisions: dag.revisions() };
    // The clock goes on by itself.
    const isTimely = outcome.kind === "invalid" && outcome.status === "InvalidTimestamp";
    const seen = isTimely || isOfMachine(outcome) ? undefined : this.#seen(isAwaited);
    const tries = this.#failures.add(block.hash, { ...circumstances, seen });
    if (outcome.kind === "failed" && seen !== undefined && tries === 1)
      emit({ type: "blockUnjudged", block, reason: outcome.reason });
  }

  /** What the check of a block depends on, beside the block. */
  #seen(isAwaited: boolean): string {
    return `${this.#use.dag.changes()} ${isAwaited}`;
  }

  /** @param resolution of the buffer, where it was written together with the block */
  #release(hash: Uint8Array, resolution: Resolution | undefined): void {
    const { buffer, dag } = this.#use;
    this.#copies.settled(hash);
    this.#failures.settled(hash);
    const children = resolution === undefined ? buffer.resolve(hash) : buffer.take(resolution);
    for (const child of children) if (!dag.has(child)) this.#enqueue(child);
    for (const offered of this.#offers.met(hash)) {
      if (this.isIgnored(offered.hash)) this.#offers.remove(offered.hash);
      else this.#enqueue(offered.hash);
    }
  }

  /**
   * Whether somebody with stake has made one of the blocks that wait for this one: what strangers say of each other
   * makes nothing known.
   */
  #isNeeded(hash: Uint8Array): boolean {
    const { buffer, blocks, dag } = this.#use;
    return buffer.waitingFor(hash).some((one) => {
      const waiting = blocks.get(one);
      return waiting !== undefined && dag.isBonded(waiting.sender);
    });
  }

  /** Told for valid and invalid blocks alike; not for those that are not in the DAG. @spec 40 §4.4 step 7 */
  #announce(block: Block): void {
    const { peers, emit, nowMs, announceAgeMs = defaultAnnounceAgeMs } = this.#use;
    if (nowMs() - Number(block.header.timestamp) > announceAgeMs) return;
    const content = encodePacket("BlockHashMessage", { hash: block.hash, blockCreator: block.sender });
    void peers.broadcast("BlockHashMessage", content);
    emit({ type: "hashSent", hash: block.hash });
  }

  /** Whether the content is another than the one that the hash names. */
  #forgery(block: Block): string | undefined {
    const contentHash = hashBlock(block, this.#use.dialect);
    if (equalBytes(contentHash, block.hash)) return undefined;
    if (this.#use.dag.knowsValidator(block.sender) && this.#wrongCopies.note(block.hash, contentHash)) return undefined;
    return "block hash is not the content's; it may be of another dialect.";
  }
}

function failed(error: unknown): BlockOutcome {
  return { kind: "failed", reason: errorText(error), isOfMachine: true };
}

function isOfMachine(outcome: BlockOutcome): boolean {
  return outcome.kind === "failed" && outcome.isOfMachine === true;
}
