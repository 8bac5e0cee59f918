import { BatchingStore, type Store } from "@vedette/store";
import type { ChainEvent } from "./ChainEvent.js";
import { type YieldToEventLoop, yieldToEventLoop } from "./dag/yieldToEventLoop.js";

/** Who is told of a chain's changes. */
export interface ChainWriteBatchOptions {
  /** Has the tables of the chain environment. */
  readonly store: Store;
  /** Told of what happened, when it is on disk. */
  readonly tell: (event: ChainEvent) => void;
  /** Called where what was held could not be written, and is given up. */
  readonly lost: () => void;
}

/**
 * Brings what happens to a chain to disk for many blocks at once, for who catches up. Everybody else in this process
 * sees it when it is there, and not before: {@link together} begins with a turn of the event loop of its own, the work
 * waits for nothing but promises that are kept already, and before each {@link breath} all is written and told.
 *
 * What a work throws leaves what was done before it. A kill leaves the chain as it was after some whole write.
 *
 * @spec 30 §5.8
 */
export class ChainWriteBatch {
  /** For the chain: reads what is held, and writes at once while nothing is. */
  readonly store: BatchingStore;
  readonly #options: ChainWriteBatchOptions;
  readonly #untold: ChainEvent[] = [];

  constructor(options: ChainWriteBatchOptions) {
    this.#options = options;
    this.store = new BatchingStore(options.store, { isHolding: false });
  }

  /** For the chain. */
  readonly emit = (event: ChainEvent): void => {
    if (this.store.isHolding) this.#untold.push(event);
    else this.#options.tell(event);
  };

  /** For the chain. */
  readonly yieldNow: YieldToEventLoop = async () => {
    this.#settle();
    await yieldToEventLoop();
  };

  /**
   * Writes all that a work does in one transaction.
   *
   * @param work waits for no thread, no clock and no connection, but by {@link breath}
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
      this.#untold.length = 0;
      this.store.discard();
      this.#options.lost();
      throw error;
    }
    for (const event of this.#untold.splice(0)) this.#options.tell(event);
  }
}
