import type { ChainEvent } from "@vedette/chain";
import type { BatchingStore } from "@vedette/store";
import type { ExecutorClient } from "../executor/ExecutorClient.js";
import type { BeginRead } from "../reader/ReadScheduler.js";
import { BlockCommitBatcher, type GroupLimits } from "./BlockCommitBatcher.js";

/** The parts for judging blocks with effects that may be held for a while. */
export interface CatchUpBatcherOptions {
  /** The store of the chain. */
  readonly store: BatchingStore;
  /** Has been started as one that may hold states. */
  readonly thread: ExecutorClient;
  /** Whether the node is so far behind, and so alone, that blocks may be held: called after each block. */
  readonly mayHold: () => boolean;
  /** Receives what happens to the chain, once it is on disk. */
  readonly emit: (event: ChainEvent) => void;
  /** Monotonic. */
  readonly nowMs: () => number;
  readonly limits?: Partial<GroupLimits>;
  /** After this time a group ends; if no other block comes, after twice that time. */
  readonly maxMs?: number;
}

const defaultMaxMs = 1_000;
/** For this time after a request nothing is held: a client that sends many waits for no group. */
const restMs = 250;
/**
 * For a while after a request groups are small, as the next request waits for the writing of one. Yet they last a few
 * times as long as writing does, so that a slow disk does not take most of the time.
 */
const watchedMs = 5_000;
const smallGroupMs = 25;
const timesWriting = 3;

/**
 * Brings blocks to disk in groups while a node is far behind and answers no request; otherwise each by itself. Readers
 * and subscribers find what is on disk: while blocks are held, events wait for them. A request waits until none is held,
 * and no block is held until it has ended.
 *
 * @spec 30 §5.8
 */
export class CatchUpBatcher implements AsyncDisposable {
  readonly #use: CatchUpBatcherOptions;
  readonly #maxMs: number;
  readonly #groups: BlockCommitBatcher;
  readonly #deferred: (() => void)[] = [];
  /** Requests that have not ended. */
  #reading = 0;
  #readMs = Number.NEGATIVE_INFINITY;
  #flushedMs = 0;
  /** How long the last group took to come to disk. */
  #writingMs = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Whether a block was settled since the last tick. */
  #hasSettled = false;
  #ending: Promise<void> | undefined;
  #isReleasing = false;
  #isClosed = false;

  constructor(use: CatchUpBatcherOptions) {
    this.#use = use;
    this.#maxMs = use.maxMs ?? defaultMaxMs;
    this.#groups = new BlockCommitBatcher(use.store, use.thread, use.limits);
    this.#groups.onFlushed = () => this.#flushed();
  }

  /** The executor with the states that are written to disk here. */
  get executor(): ExecutorClient {
    return this.#groups.executor;
  }

  /** Whether blocks are held now. */
  get isHolding(): boolean {
    return this.#use.store.isHolding;
  }

  /** Receives what happens to the chain. */
  onChainEvent(event: ChainEvent): void {
    this.whenOnDisk(() => this.#use.emit(event));
  }

  /** Runs a notification once everything that happened so far is on disk, in the order of the calls. */
  readonly whenOnDisk = (notify: () => void): void => {
    if (this.isHolding) this.#deferred.push(notify);
    else notify();
  };

  /** To be waited for between blocks. @throws {StoreError}, or as a thread's call; what is held stays so then */
  async settled(blocks: number): Promise<void> {
    // While a group ends for a request, its states are on their way to disk: the next one begins after that.
    if (!this.#mayHold() || this.#ending !== undefined) await this.#end();
    else if (this.isHolding) await this.#continueGroup(blocks);
    else await this.#begin();
    this.#hasSettled = true;
  }

  #mayHold(): boolean {
    if (this.#isClosed || this.#reading > 0) return false;
    return this.#use.nowMs() - this.#readMs > restMs && this.#use.mayHold();
  }

  async #continueGroup(blocks: number): Promise<void> {
    const nowMs = this.#use.nowMs();
    const isWatched = nowMs - this.#readMs < watchedMs;
    const smallMs = Math.max(smallGroupMs, timesWriting * this.#writingMs);
    const flushedMs = this.#flushedMs;
    await this.#groups.settled(blocks, nowMs - flushedMs > Math.min(this.#maxMs, isWatched ? smallMs : this.#maxMs));
    if (this.#flushedMs !== flushedMs) this.#writingMs = this.#use.nowMs() - nowMs;
  }

  /**
   * Begins a request as soon as nothing is held. Where the disk takes nothing, it begins all the same.
   *
   * @param begin called once
   * @returns ends the request; to be called in any case. A second call has no effect
   */
  readonly read: BeginRead = (begin) => {
    this.#reading += 1;
    this.#readMs = this.#use.nowMs();
    if (this.isHolding) void this.#end().then(begin, begin);
    else begin();
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      this.#reading -= 1;
      this.#readMs = this.#use.nowMs();
    };
  };

  /** Brings all to disk, and holds nothing any more. @throws as {@link settled} */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#end();
  }

  /** The chain's store first: its records must never be on disk before the states. */
  async #begin(): Promise<void> {
    const { store, thread } = this.#use;
    store.hold();
    this.#flushedMs = this.#use.nowMs();
    this.#timer ??= setInterval(() => this.#tick(), this.#maxMs).unref();
    // Where a thread has just ended, states are written one by one for a while.
    await thread.hold(true).catch(() => undefined);
  }

  /** Between blocks a group ends by itself; where none comes, it ends here. */
  #tick(): void {
    if (!this.#hasSettled) void this.#groups.flush().catch(() => undefined);
    this.#hasSettled = false;
  }

  async #end(): Promise<void> {
    if (!this.isHolding && this.#ending === undefined) return;
    this.#ending ??= this.#endNow().finally(() => (this.#ending = undefined));
    await this.#ending;
  }

  async #endNow(): Promise<void> {
    await this.#use.thread.hold(false).catch(() => undefined);
    this.#isReleasing = true;
    try {
      await this.#groups.flush();
    } finally {
      this.#isReleasing = false;
    }
  }

  /** In the same turn in which the store was flushed. */
  #flushed(): void {
    this.#flushedMs = this.#use.nowMs();
    if (this.#isReleasing) {
      this.#use.store.release();
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    for (const notify of this.#deferred.splice(0)) notify();
  }
}
