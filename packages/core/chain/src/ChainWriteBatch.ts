import { BatchingStore, type Store } from "@vedette/store";
import type { ChainEvent } from "./ChainEvent.js";
import { type YieldToEventLoop, yieldToEventLoop } from "./dag/yieldToEventLoop.js";

/** Where a batch writes, and what it calls. */
export interface ChainWriteBatchOptions {
  /** Has the tables of the chain environment. */
  readonly store: Store;
  /** Receives each event after its transaction is committed. */
  readonly publish: (event: ChainEvent) => void;
  /** Called when the batch was discarded because its commit failed. */
  readonly lost: () => void;
}

/**
 * Writes the changes of many blocks to disk at once, for nodes that catch up. Other parts of the process see a change
 * once it is on disk, not before: {@link together} first yields to the event loop, the work awaits only promises that
 * are settled, and each {@link yieldNow} first commits the batch and publishes its events.
 *
 * An error of the work does not undo earlier writes. A kill leaves the chain as it was after some whole write.
 *
 * @spec 30 §5.8
 */
export class ChainWriteBatch {
  /** For the chain: reads what is held, and writes at once while nothing is. */
  readonly store: BatchingStore;
  readonly #options: ChainWriteBatchOptions;
  readonly #unpublished: ChainEvent[] = [];

  constructor(options: ChainWriteBatchOptions) {
    this.#options = options;
    this.store = new BatchingStore(options.store, { isHolding: false });
  }

  /** For the chain. */
  readonly emit = (event: ChainEvent): void => {
    if (this.store.isHolding) this.#unpublished.push(event);
    else this.#options.publish(event);
  };

  /** For the chain. */
  readonly yieldNow: YieldToEventLoop = async () => {
    this.#settle();
    await yieldToEventLoop();
  };

  /**
   * Writes all that a work does in one transaction.
   *
   * @param work waits for no thread, clock or connection, except by {@link yieldNow}
   * @throws {StoreError} where it cannot be written: nothing of it is there then; what the work throws
   */
  async together(work: () => Promise<void>): Promise<void> {
    await yieldToEventLoop();
    this.store.hold();
    try {
      await work();
    } finally {
      try {
        this.#settle();
      } finally {
        this.store.release();
      }
    }
  }

  #settle(): void {
    if (!this.store.isHolding) return;
    try {
      this.store.flush();
    } catch (error) {
      this.#unpublished.length = 0;
      this.store.discard();
      this.#options.lost();
      throw error;
    }
    for (const event of this.#unpublished.splice(0)) this.#options.publish(event);
  }
}
