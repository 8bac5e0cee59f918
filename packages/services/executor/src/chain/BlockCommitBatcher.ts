import { BlockPacking } from "@vedette/chain";
import { equalBytes } from "@vedette/crypto";
import type { BatchingStore } from "@vedette/store";
import { type ExecutorClient, withOperations } from "../executor/ExecutorClient.js";
import type { MergeScopeAnswer, MergeScopeCall } from "../executor/F1r3nodeExecutor.js";
import type { MergeAnswer, MergeCall, ReplayAnswer, ReplayCall } from "../executor/RnodeExecutor.js";

/** How much may be held in memory before it goes to disk. */
export interface GroupLimits {
  readonly maxBlocks: number;
  readonly maxBytes: number;
}

const defaultLimits: GroupLimits = { maxBlocks: 64, maxBytes: 32 << 20 };
/** Limits for offline work, where no request waits for the writing thread: larger groups write fewer pages. */
export const offlineLimits = { maxBlocks: 256 } as const satisfies Partial<GroupLimits>;

/** A state that was made and is not known to be on disk, and how it is made again. */
interface Unflushed {
  readonly root: Uint8Array;
  readonly again: () => Promise<unknown>;
}

/**
 * Writes the results of many blocks to disk at a time: first the states, then the chain's records of them. A kill
 * leaves the chain as it was after some group, with all of its states. For nodes that catch up and have sent no block
 * on yet.
 *
 * Held states exist only in the executor's thread; if it ends, they are made again, from the same blocks.
 *
 * @spec 30 §5.8
 */
export class BlockCommitBatcher {
  readonly #store: BatchingStore;
  readonly #thread: ExecutorClient;
  readonly #limits: GroupLimits;
  readonly #unflushed: Unflushed[] = [];
  #packing: BlockPacking | undefined;
  #blocks = 0;
  /** One after the other: each clears what it has brought to disk. */
  #flushing: Promise<void> = Promise.resolve();
  #isRelieving = false;
  /** Called as soon as all that was held is on disk. */
  onFlushed: (() => void) | undefined;

  /**
   * @param store  of the chain
   * @param thread holds its states until they are flushed
   */
  constructor(store: BatchingStore, thread: ExecutorClient, limits: Partial<GroupLimits> = {}) {
    this.#store = store;
    this.#thread = thread;
    this.#limits = { ...defaultLimits, ...limits };
    store.onHeld = (bytes) => this.#relieve(bytes);
  }

  /**
   * Packs old blocks from now on while they are held, so that their bytes are written once.
   *
   * @param finalHeight of the last final block
   */
  pack(finalHeight: () => bigint | undefined): void {
    this.#packing = new BlockPacking(this.#store, finalHeight);
  }

  /** The executor with the states that are written to disk here. */
  get executor(): ExecutorClient {
    return withOperations(this.#thread, {
      replay: (call: ReplayCall) => this.#replay(call),
      merge: (call: MergeCall) => this.#merge(call),
      mergeScope: (call: MergeScopeCall) => this.#mergeScope(call),
      hasRoot: (root: Uint8Array) => this.#hasRoot(root),
    });
  }

  /**
   * To be waited for between blocks: ends the group where it is large enough.
   *
   * @param isDue whether it is to end in any case
   * @throws as {@link flush}
   */
  async settled(blocks: number, isDue = false): Promise<void> {
    this.#blocks += blocks;
    const isLarge = this.#blocks >= this.#limits.maxBlocks || this.#store.heldBytes >= this.#limits.maxBytes;
    if (isLarge || isDue) await this.#inTurn(true);
  }

  /**
   * Brings all to disk that was done.
   *
   * @throws {StoreError}, or as a thread's call; all stays held then
   */
  flush(): Promise<void> {
    return this.#inTurn(false);
  }

  #inTurn(isBetweenBlocks: boolean): Promise<void> {
    const flushed = this.#flushing.then(() => this.#flush(isBetweenBlocks));
    this.#flushing = flushed.catch(() => undefined);
    return flushed;
  }

  /** Blocks that come in are held too, long before the first of them is judged. */
  #relieve(bytes: number): void {
    if (bytes < this.#limits.maxBytes || this.#isRelieving) return;
    this.#isRelieving = true;
    const done = () => {
      this.#isRelieving = false;
    };
    // Data that could not be written stays held; the next caller that waits for it gets the error.
    void this.flush().then(done, done);
  }

  /** @param isBetweenBlocks whether the chain writes nothing about another block until this has ended */
  async #flush(isBetweenBlocks: boolean): Promise<void> {
    // Before the states: the chain's records of blocks that are executed meanwhile are held too.
    while (((await this.#packing?.step()) ?? 0) > 0);
    let states: number;
    do {
      states = this.#unflushed.length;
      await this.#flushStates(this.#unflushed.map(({ root }) => root));
      // The chain's records of a block that was executed meanwhile may be held by now.
    } while (!isBetweenBlocks && this.#unflushed.length > states);
    this.#store.flush();
    this.#unflushed.splice(0, states);
    this.#blocks = 0;
    this.onFlushed?.();
  }

  async #flushStates(roots: readonly Uint8Array[]): Promise<void> {
    if (await this.#thread.flush(roots)) return;
    await this.#makeAgain();
    if (!(await this.#thread.flush(roots))) throw new Error("states of blocks are gone, and could not be made again");
  }

  async #replay(call: ReplayCall): Promise<ReplayAnswer> {
    const replay = () => this.#thread.replay(call);
    const answer = await this.#withStates(replay);
    if (answer.kind === "replayed") this.#note(answer.postStateHash, replay);
    return answer;
  }

  async #merge(call: MergeCall): Promise<MergeAnswer> {
    const merge = () => this.#thread.merge(call);
    const answer = await this.#withStates(merge);
    if (answer.kind === "merged") this.#note(answer.stateHash, merge);
    return answer;
  }

  async #mergeScope(call: MergeScopeCall): Promise<MergeScopeAnswer> {
    const merge = () => this.#thread.mergeScope(call);
    const answer = await this.#withStates(merge);
    if (answer.kind === "merged") this.#note(answer.stateHash, merge);
    return answer;
  }

  #note(root: Uint8Array, again: () => Promise<unknown>): void {
    if (this.#store.isHolding) this.#unflushed.push({ root, again });
  }

  /** A state that was made is here, also where it has to be made again: it must not be fetched from elsewhere. */
  async #hasRoot(root: Uint8Array): Promise<boolean> {
    if (await this.#thread.hasRoot(root)) return true;
    if (!this.#unflushed.some((one) => equalBytes(one.root, root))) return false;
    await this.#makeAgain();
    return this.#thread.hasRoot(root);
  }

  /** Repeats a call if the first try found that states were gone. */
  async #withStates<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    try {
      return await ask();
    } catch (error) {
      const last = this.#unflushed.at(-1);
      if (last === undefined || (await this.#thread.hasRoot(last.root))) throw error;
      await this.#makeAgain();
      // The cause that ended the thread would do so again.
      if (error instanceof Error && hasEnded(error)) throw error;
      return await ask();
    }
  }

  async #makeAgain(): Promise<void> {
    for (const { again } of [...this.#unflushed]) await again();
  }
}

/** Whether the thread has ended, as it does where the engine finds no more memory for it. */
export function hasEnded({ name, message }: Error): boolean {
  return name === "ThreadEnded" || message.includes("memory limit");
}
