import { unknownRulesText } from "@vedette/chain";
import { equalBytes } from "@vedette/crypto";
import type { Peer } from "@vedette/network";
import { type Block, type Dialect, hashBlock, hashKey } from "@vedette/protocol";
import { OutOfOrderBlocks } from "../history/OutOfOrderBlocks.js";
import type { ClaimedHeights } from "../status/ClaimedHeights.js";
import type { Timers } from "../Timers.js";
import type { BufferChange } from "./BlockBuffer.js";
import { BlockCopyOrigins } from "./BlockCopyOrigins.js";
import { BlockDependencyScheduler } from "./BlockDependencyScheduler.js";
import { BlockValidation, type BlockValidationOptions } from "./BlockValidation.js";
import { CyclicDependencyResolver } from "./CyclicDependencyResolver.js";
import { HashMismatchTracker } from "./HashMismatchTracker.js";
import { notOfInterest } from "./interest.js";
import { isLarge, LargeBlocks } from "./LargeBlocks.js";
import { RecentFailures } from "./RecentFailures.js";
import { SettledBlockAdmission } from "./SettledBlockAdmission.js";

/** The parts that a processor works with. @spec 40 §4.4 */
export interface BlockProcessorOptions extends BlockValidationOptions {
  /** Receives well-formed blocks. */
  readonly heights?: Pick<ClaimedHeights, "note">;
  /** The block that the chain began with. */
  readonly approved: Block;
  readonly dialect: Dialect;
  readonly timers: Timers;
  /** Whether blocks are being fetched by heights, so that absent ones come without a request. @spec 40 §18 */
  readonly isFetchedByHeights?: () => boolean;
  /** Blocks that may wait for others; more are dropped and fetched again later. */
  readonly maxWaiting?: number;
}

/** Blocks that are judged together; each holds its deploys in memory. */
const maxTogether = 16;
const defaultMaxWaiting = 2_000_000;
/** Blocks of unbonded creators that are known as such. */
const maxUnknownPeers = 10_000;

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
  /** Hashes of blocks that have their dependencies in the DAG. */
  readonly #ready: Uint8Array[] = [];
  /** Hashes of stored blocks that are to be placed. */
  readonly #stored: Uint8Array[] = [];
  /** Blocks that are being stored, are in one of the two lists, or are being validated. */
  readonly #inProcess = new Set<string>();
  readonly #failures: RecentFailures;
  readonly #copies = new BlockCopyOrigins();
  readonly #wrongCopies = new HashMismatchTracker();
  readonly #placement: BlockDependencyScheduler;
  readonly #large: LargeBlocks;
  readonly #offers = new OutOfOrderBlocks();
  readonly #circles: CyclicDependencyResolver;
  readonly #settled: SettledBlockAdmission;
  readonly #validation: BlockValidation;
  /** The waiting blocks of creators without stake, as far as was known when they came. */
  readonly #ofUnbonded = new Map<string, Uint8Array>();
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
    const release = (hash: Uint8Array, resolution?: BufferChange) => this.#release(hash, resolution);
    this.#settled = new SettledBlockAdmission({
      ...{ approved: use.approved, buffer: use.buffer, dag: use.dag, validation: use.validation, emit: use.emit },
      ...{ placement: this.#placement, inProcess: this.#inProcess, release },
    });
    this.#validation = new BlockValidation(use, {
      ...{ failures: this.#failures, copies: this.#copies, offers: this.#offers, large: this.#large },
      ...{ placement: this.#placement, settled: this.#settled, inProcess: this.#inProcess, release },
    });
  }

  /** Stored blocks that could not be judged. @spec 40 §17.3 */
  get unjudgedCount(): number {
    return this.#failures.unjudged;
  }

  /** Blocks that wait to be validated. */
  get validatableCount(): number {
    return this.#ready.length;
  }

  /** Blocks of unbonded creators that wait for others: such a key can make any number that wait for missing ones. */
  get waitingOfUnbonded(): number {
    return this.#ofUnbonded.size;
  }

  /** The offered blocks that are not judged yet. */
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

  /** For a waiting block, another copy is accepted if the stored one is doubted. */
  #isWanted(hash: Uint8Array): boolean {
    if (!this.isIgnored(hash)) return true;
    const isUnderWay = this.#inProcess.has(hashKey(hash)) || this.#use.dag.has(hash);
    return !isUnderWay && this.#copies.isDoubted(hash);
  }

  /**
   * Handles a block that a peer announces: finds it in the store, or requests it.
   *
   * @spec 40 §2, §4.2
   */
  announced(hash: Uint8Array, peer: Peer, kind: "broadcast" | "hasBlock"): void {
    const { emit, blocks, retriever } = this.#use;
    if (hash.length !== 32 || !this.#isWanted(hash)) {
      emit({ type: "hashIgnored", kind, hash, peer });
      return;
    }
    // A refused and forgotten block is fetched again when a block refers to it, not when a peer only names it.
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

  /** Fetches other copies of blocks that wait for a missing hash: their sender may have made it up. @spec 40 §4.2 */
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
   * A peer sent a block. Only requested blocks are taken: peers send none unasked. This is synchronous, except for a
   * large block, which is written part by part.
   *
   * @spec 40 §4.4 steps 1–3
   */
  async receive(block: Block, peer: Peer): Promise<void> {
    const { emit, buffer, retriever, approved, validation } = this.#use;
    if (!this.#isWanted(block.hash) || !retriever.isRequested(block.hash)) {
      emit({ type: "blockIgnored", block, peer });
      return;
    }
    emit({ type: "blockAccepted", block, peer });
    if (this.#isAwaitedGenesis(block)) {
      this.#use.blocks.put(block);
      await this.#settled.admit(block);
      retriever.forget(block.hash);
      return;
    }
    const reason = notOfInterest(block, approved, buffer.isAwaited(block.hash));
    if (reason !== undefined) {
      retriever.forget(block.hash);
      this.#refuse(block, reason);
      return;
    }
    const malformed = validation.checkForm(block) ?? this.#forgery(block);
    if (malformed !== undefined) {
      emit({ type: "blockMalformed", block, reason: malformed });
      retriever.distrust(block.hash, peer);
      return;
    }
    await this.#keep(block, peer);
  }

  /**
   * A validator that has been bonded and has made no block is justified by genesis, which a node that began at a state
   * does not have. Its hash is checked, like that of the block that names it.
   *
   * @spec 61 §14.5, §16.5
   */
  #isAwaitedGenesis(block: Block): boolean {
    const { approved, buffer, dialect, validation } = this.#use;
    if (validation.admitSettled === undefined || approved.number === 0n || block.number !== 0n) return false;
    const isAlone = block.parents.length === 0 && block.justifications.length === 0;
    return isAlone && buffer.isAwaited(block.hash) && equalBytes(hashBlock(block, dialect), block.hash);
  }

  #refuse(block: Block, reason: string): void {
    const isNewer = unknownRulesText(block) !== undefined;
    this.#use.emit({ type: isNewer ? "unknownRulesSeen" : "blockNotOfInterest", block, reason });
  }

  /**
   * A peer sent a block of some requested heights. Until its turn comes it is held in memory alone, since those below
   * it come before it.
   *
   * @returns why it is not a block of a chain
   * @spec 40 §18
   */
  async offer(block: Block, peer: Peer): Promise<string | undefined> {
    const { emit, retriever, approved, validation } = this.#use;
    if (this.isKnown(block.hash)) return undefined;
    const reason = notOfInterest(block, approved, false);
    if (reason !== undefined) {
      this.#refuse(block, reason);
      return undefined;
    }
    const malformed = validation.checkForm(block) ?? this.#forgery(block);
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

  /** Stores the offered blocks with dependencies that did not come, and requests these. @spec 40 §18 */
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
    if (!this.#settled.isLacking(block) || !(await this.#settled.admit(block))) this.#placement.place(block, peer);
    if (this.#use.buffer.isWaiting(block.hash)) this.#noteOfUnbonded(block);
    retriever.forget(block.hash);
    this.#placement.queryOnAfter(block.hash, peer);
  }

  #noteOfUnbonded({ hash, sender }: Block): void {
    if (!this.#use.dag.isBonded(sender) && this.#ofUnbonded.size < maxUnknownPeers)
      this.#ofUnbonded.set(hashKey(hash), hash);
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

  /** Gives up a hash that no peer has. @spec 40 §4.8 */
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

  /**
   * Requests the blocks that were left to the fetching by heights, if that is over or has nothing left to judge.
   * @spec 40 §18
   */
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
    for (const [key, hash] of this.#ofUnbonded) if (!buffer.isWaiting(hash)) this.#ofUnbonded.delete(key);
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
        await this.#validation.run(ready, signal);
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
    if (!this.#settled.isLacking(block) || !(await this.#settled.admit(block))) this.#placement.place(block, undefined);
  }

  #enqueue(hash: Uint8Array): void {
    this.#ofUnbonded.delete(hashKey(hash));
    this.#inProcess.add(hashKey(hash));
    this.#ready.push(hash);
    this.#wake();
  }

  /** @param resolution of the buffer, where it was written together with the block */
  #release(hash: Uint8Array, resolution: BufferChange | undefined): void {
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

  /** Whether the content is another than the one that the hash names. */
  #forgery(block: Block): string | undefined {
    const contentHash = hashBlock(block, this.#use.dialect);
    if (equalBytes(contentHash, block.hash)) return undefined;
    if (this.#use.dag.knowsValidator(block.sender) && this.#wrongCopies.note(block.hash, contentHash)) return undefined;
    return "block hash is not the content's; it may be of another dialect.";
  }
}
