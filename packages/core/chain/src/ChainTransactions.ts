import type { Store } from "@vedette/store";
import type { ChainEvent } from "./ChainEvent.js";

/** A transaction that is written. */
export interface ChainTransaction<Result> {
  readonly result: Result;
  /** Emits the events of the transaction. */
  readonly publish: () => void;
}

/** Writes changes of the chain, and emits their events only once they are written. */
export class ChainTransactions {
  readonly #store: Store;
  readonly emit: (event: ChainEvent) => void;
  readonly #undone: () => void;

  /** @param undone called when a transaction failed: what memory has of it is to be read anew */
  constructor(store: Store, emit: (event: ChainEvent) => void, undone: () => void) {
    this.#store = store;
    this.emit = emit;
    this.#undone = undone;
  }

  /** Writes in one transaction. @param write `emit` collects the events until they are published */
  write<Result>(write: (emit: (event: ChainEvent) => void) => Result): ChainTransaction<Result> {
    const events: ChainEvent[] = [];
    try {
      const result = this.#store.together(() => write((event) => void events.push(event)));
      const publish = () => {
        for (const event of events) this.emit(event);
      };
      return { result, publish };
    } catch (error) {
      this.#undone();
      throw error;
    }
  }

  writeAndPublish(write: (emit: (event: ChainEvent) => void) => void): void {
    this.write(write).publish();
  }
}
