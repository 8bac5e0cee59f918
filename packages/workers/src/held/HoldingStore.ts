import { GroupedStore, type ReadableTable, type Store, type TableName, type WritableTables } from "@vedette/store";

/** A store that holds writes in memory, at least at times. */
export interface HeldStore {
  /** What keys and values that are held take. */
  readonly heldBytes: number;
  /** Whether writes are held now; left out: always. */
  readonly isHolding?: boolean;
  /** Is told after each write that is held how much is held. */
  onHeld: ((bytes: number) => void) | undefined;
  /** Writes all that is held, in one transaction. Where that fails all of it stays held. @throws {StoreError} */
  flush(): void;
}

/**
 * A store that brings each write to disk at once, as any other, but while it is told to hold them: then it is a
 * {@link GroupedStore}.
 *
 * @spec 30 §5.8
 */
export class HoldingStore implements Store, HeldStore {
  readonly #below: Store;
  readonly #held: GroupedStore;
  #isHolding = false;

  /** @param below written by this one alone */
  constructor(below: Store) {
    this.#below = below;
    this.#held = new GroupedStore(below);
  }

  get isHolding(): boolean {
    return this.#isHolding;
  }

  get heldBytes(): number {
    return this.#held.heldBytes;
  }

  get onHeld(): HeldStore["onHeld"] {
    return this.#held.onHeld;
  }

  set onHeld(told: HeldStore["onHeld"]) {
    this.#held.onHeld = told;
  }

  /** From now on writes are held. */
  hold(): void {
    this.#isHolding = true;
  }

  /** Writes all that is held, and holds nothing from now on. @throws {StoreError}; it goes on holding then */
  release(): void {
    this.#held.flush();
    this.#isHolding = false;
  }

  flush(): void {
    this.#held.flush();
  }

  table(name: TableName): ReadableTable {
    return this.#held.table(name);
  }

  write(work: (tables: WritableTables) => void): void {
    this.#writer.write(work);
  }

  together<Result>(work: () => Result): Result {
    return this.#writer.together(work);
  }

  async sync(): Promise<void> {
    await this.#held.sync();
  }

  /** Closes the store below. What is held is given up. */
  async close(): Promise<void> {
    await this.#held.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  get #writer(): Store {
    return this.#isHolding ? this.#held : this.#below;
  }
}
