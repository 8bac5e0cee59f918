import type { Peer } from "@vedette/network";
import { type Block, hashKey } from "@vedette/protocol";
import type { BlockStoreView, SyncDagView } from "../ports/ChainPort.js";
import type { EmitSyncEvent } from "../SyncEvent.js";
import type { BlockBuffer } from "./BlockBuffer.js";
import type { BlockCopyOrigins } from "./BlockCopyOrigins.js";
import type { BlockRetriever } from "./BlockRetriever.js";
import { dependenciesOf } from "./dependencies.js";
import type { RecentFailures } from "./RecentFailures.js";

/** The parts that a placement works with. @spec 40 §4.4 */
export interface BlockDependencySchedulerOptions {
  readonly blocks: BlockStoreView;
  readonly dag: SyncDagView;
  readonly buffer: BlockBuffer;
  readonly retriever: BlockRetriever;
  readonly failures: RecentFailures;
  readonly copies: BlockCopyOrigins;
  readonly emit: EmitSyncEvent;
  /** Blocks that may wait for others. */
  readonly maxWaiting: number;
  /** Whether a hash needs no attention. */
  readonly isIgnored: (hash: Uint8Array) => boolean;
  /** Queues a block to be judged when its dependencies are in the DAG. */
  readonly enqueue: (hash: Uint8Array) => void;
  /** Tries a stored block again, even if it has just been refused. */
  readonly retry: (hash: Uint8Array) => void;
  /** Whether absent blocks come by themselves: then they are not requested. @spec 40 §18 */
  readonly isFed: () => boolean;
}

/** Hashes that waiting blocks lack, in memory; an honest chain has some for each validator. */
const maxPendants = 20_000;
/** Absent hashes that are requested at a time because of one block, more than most networks have validators. */
const maxRequested = 64;
/** The same because of a block of a creator that is not known to have stake. */
const maxRequestedByUnknown = 8;
/** Waiting blocks of which is known that they lack more; others go on when what they wait for is in the DAG. */
const maxPartlyRequested = 10_000;

/**
 * Finds the place of stored blocks: to be judged, or waiting for others, which are requested.
 *
 * @spec 40 §4.4 step 5, §4.8
 */
export class BlockDependencyScheduler {
  readonly #use: BlockDependencySchedulerOptions;
  /** Waiting blocks that lack more blocks than were requested because of them. */
  readonly #partlyRequested = new Set<string>();
  #left = false;

  constructor(use: BlockDependencySchedulerOptions) {
    this.#use = use;
  }

  /** @param peer its sender, which should have what the block refers to */
  place(block: Block, peer: Peer | undefined): void {
    const { buffer, emit, enqueue, isIgnored, maxWaiting } = this.#use;
    const { hash } = block;
    const unmet = this.unmetOf(block);
    if (unmet === undefined) {
      emit({ type: "blockMalformed", block, reason: "a parent or justification is no hash." });
      return;
    }
    if (unmet.length === 0) {
      // Another copy of it may have waited.
      buffer.leave(hash);
      this.#notePart(hash, false);
      enqueue(hash);
      return;
    }
    if (buffer.size >= maxWaiting) {
      emit({ type: "blockFailed", block, reason: "too many blocks wait for others" });
      return;
    }
    const absent = unmet.filter((one) => !isIgnored(one));
    const isForUnbonded = !this.#use.dag.isBonded(block.sender);
    const toFetch = absent.slice(0, isForUnbonded ? maxRequestedByUnknown : maxRequested);
    const isPart = toFetch.length < absent.length;
    // Its other dependencies are checked again when these are there.
    const inBuffer = isPart ? [] : unmet.filter(isIgnored);
    this.#notePart(hash, isPart);
    emit({ type: "blockMissingDependencies", block, toFetch, inBuffer });
    // Any key can sign blocks that refer to nothing; what was never found must not crowd out what can be.
    while (buffer.pendantCount >= maxPendants) buffer.dropOldestPendant();
    // A block that was refused may pass once another refers to it (40 §5.8), so the first such block tries it anew.
    const isNew = toFetch.map((one) => !buffer.isAwaited(one));
    buffer.add(hash, [...toFetch, ...inBuffer]);
    for (const [index, one] of toFetch.entries())
      this.#fetch(one, { peer, isForUnbonded, isNew: isNew[index] === true });
  }

  /** Whether some absent block was not requested, since it was to come by itself, and now does not. */
  takeLeft(): boolean {
    if (!this.#left || this.#use.isFed()) return false;
    this.#left = false;
    return true;
  }

  /** Whether all references of a block are in the DAG; a block that requests part by part is released before. */
  isComplete(block: Block): boolean {
    return this.unmetOf(block)?.length === 0;
  }

  /** A block was received: those that waited for it, and lack more than was requested, may request the next ones. */
  queryOnAfter(hash: Uint8Array, peer: Peer): void {
    const { buffer, blocks, isIgnored } = this.#use;
    if (this.#partlyRequested.size === 0) return;
    for (const waiting of buffer.waitingFor(hash)) {
      const asksOn = this.#partlyRequested.has(hashKey(waiting)) && buffer.missingOf(waiting).every(isIgnored);
      const block = asksOn ? blocks.get(waiting) : undefined;
      if (block !== undefined) this.place(block, peer);
    }
  }

  /** Gives up the blocks that wait for a hash that no peer has. They are fetched anew when a peer announces them. */
  giveUp(hash: Uint8Array): void {
    const { buffer, copies, retriever } = this.#use;
    for (const one of buffer.waitingFor(hash, Number.MAX_SAFE_INTEGER)) copies.doubt(one);
    for (const one of buffer.giveUp(hash)) {
      this.#partlyRequested.delete(hashKey(one));
      retriever.forget(one);
    }
  }

  /** Returns a block's references that are not in the DAG. @returns `undefined` if some of them cannot be a hash */
  unmetOf(block: Block): Uint8Array[] | undefined {
    const { dag } = this.#use;
    const hashes = dependenciesOf(block, dag.slashedDependencies(block));
    return hashes?.filter((one) => !dag.has(one) && !dag.isDetectedEquivocation(one));
  }

  #notePart(hash: Uint8Array, isPart: boolean): void {
    if (!isPart) this.#partlyRequested.delete(hashKey(hash));
    else if (this.#partlyRequested.size < maxPartlyRequested) this.#partlyRequested.add(hashKey(hash));
  }

  #fetch(
    hash: Uint8Array,
    facts: { readonly peer: Peer | undefined; readonly isForUnbonded: boolean; readonly isNew: boolean },
  ): void {
    const { blocks, copies, failures, retriever, retry, isFed } = this.#use;
    const isSound = blocks.has(hash) && failures.count(hash) === 0 && !copies.isDoubted(hash);
    const admission = { avoided: copies.senderOf(hash), isForUnbonded: facts.isForUnbonded };
    if (!isSound && isFed()) this.#left = true;
    else if (!isSound) retriever.admit(hash, facts.peer, "MissingDependencyRequested", admission);
    else if (facts.isNew || !failures.isRecent(hash, this.#use.dag.revisions())) retry(hash);
  }
}
