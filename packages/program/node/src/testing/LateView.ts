import { MemoryStore, type Store, type TableName, tablesOf } from "@vedette/store";

/** A reader's view of a store that another thread writes: all of it as it was when the reader looked last. */
export class LateView {
  readonly #written: Store;
  readonly #tables: readonly TableName[];
  #seen: MemoryStore;

  constructor(written: Store, environment: Parameters<typeof tablesOf>[0]) {
    this.#written = written;
    this.#tables = tablesOf(environment);
    this.#seen = new MemoryStore(this.#tables);
  }

  /** To read from; it stays the same when the view {@link catchUp catches up}. */
  get store(): Store {
    return {
      table: (name) => ({
        get: (key) => this.#seen.table(name).get(key),
        has: (key) => this.#seen.table(name).has(key),
        range: (range) => this.#seen.table(name).range(range),
        count: () => this.#seen.table(name).count(),
      }),
      write: () => {
        throw new TypeError("a reader writes nothing");
      },
      together: (work) => work(),
      sync: async () => {},
      close: async () => {},
      [Symbol.asyncDispose]: async () => {},
    };
  }

  /** Sees what is written now. */
  catchUp(): void {
    const seen = new MemoryStore(this.#tables);
    seen.write((tables) => {
      for (const name of this.#tables)
        for (const [key, value] of this.#written.table(name).range()) tables(name).put(key, value);
    });
    this.#seen = seen;
  }
}
