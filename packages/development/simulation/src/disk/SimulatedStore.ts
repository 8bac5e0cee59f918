import {
  type MemoryStore,
  type ReadableTable,
  type Store,
  StoreError,
  type Table,
  type TableName,
  type WritableTables,
} from "@vedette/store";

/** The faults of a transaction. */
export type WriteFault = "failed" | "full" | "crashBefore" | "crashWithin" | "crashAfter";

/** The source of faults for a process's store, read before each transaction. */
export interface StoreOptions {
  readonly memory: MemoryStore;
  readonly journal: Journal | undefined;
  readonly isAlive: () => boolean;
  readonly nextFault: () => WriteFault | undefined;
  /** Called at each read of a value: whether a bit of it has changed. */
  readonly isFlipped: () => boolean;
  /** Ends the process at once. */
  readonly crash: () => void;
}

/** The process has ended in the middle of a transaction. */
class Crash extends Error {
  override readonly name = "Crash";
}

const path = "the simulated disk";

/** A process's view of a disk: it ends with the process, its content does not. */
export class SimulatedStore implements Store {
  readonly #use: StoreOptions;
  #isGrouped = false;
  /** The fault of the running transaction. */
  #fault: WriteFault | undefined;
  writes = 0;

  constructor(use: StoreOptions) {
    this.#use = use;
  }

  table(name: TableName): ReadableTable {
    const table = this.#use.memory.table(name);
    return {
      get: (key) => this.#unchanged(this.#alive(table).get(key), name, key),
      has: (key) => this.#alive(table).has(key),
      range: (range) => this.#alive(table).range(range),
      count: () => this.#alive(table).count(),
    };
  }

  write(work: (tables: WritableTables) => void): void {
    if (this.#isGrouped) {
      this.#requireAlive();
      this.#use.memory.write((tables) => {
        work(this.#journalled(tables));
        if (this.#fault === "crashWithin") this.#crash();
      });
      return;
    }
    this.#transact(() =>
      this.#use.memory.write((tables) => {
        work(this.#journalled(tables));
        if (this.#fault === "crashWithin") this.#crash();
      }),
    );
  }

  together<Result>(work: () => Result): Result {
    return this.#transact(() => {
      this.#isGrouped = true;
      try {
        return this.#use.memory.together(work);
      } finally {
        this.#isGrouped = false;
      }
    });
  }

  async sync(): Promise<void> {
    this.#requireAlive();
    this.#use.journal?.clear();
  }

  async close(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {}

  #transact<Result>(run: () => Result): Result {
    this.#requireAlive();
    this.writes += 1;
    const { journal } = this.#use;
    this.#fault = this.#use.nextFault();
    if (this.#fault === "crashBefore") this.#crash();
    if (this.#fault === "failed") throw new StoreError({ code: "failed", path, reason: "input/output error" });
    if (this.#fault === "full") throw new StoreError({ code: "full", path });
    journal?.begin();
    let isDone = false;
    try {
      const result = run();
      isDone = true;
      return result;
    } finally {
      journal?.end(isDone);
      if (isDone && this.#fault === "crashAfter") this.#crash();
      this.#fault = undefined;
    }
  }

  #journalled(tables: WritableTables): WritableTables {
    const { journal } = this.#use;
    if (journal === undefined) return tables;
    return (name): Table => {
      const table = tables(name);
      return {
        get: (key) => table.get(key),
        has: (key) => table.has(key),
        range: (range) => table.range(range),
        count: () => table.count(),
        put(key, value) {
          journal.note(name, key, table.get(key));
          table.put(key, value);
        },
        delete(key) {
          journal.note(name, key, table.get(key));
          table.delete(key);
        },
      };
    };
  }

  #crash(): never {
    this.#use.crash();
    throw new Crash("the process has ended");
  }

  /** Reports a changed value, as the machine's store does by a checksum. */
  #unchanged(value: Uint8Array | undefined, table: TableName, key: Uint8Array): Uint8Array | undefined {
    if (value !== undefined && this.#use.isFlipped())
      throw new StoreError({ code: "damaged", path, reason: "a checksum is wrong", table, key });
    return value;
  }

  #alive(table: ReadableTable): ReadableTable {
    this.#requireAlive();
    return table;
  }

  #requireAlive(): void {
    if (!this.#use.isAlive()) throw new StoreError({ code: "closed", path });
  }
}

interface Undo {
  readonly name: TableName;
  readonly key: Uint8Array;
  readonly value: Uint8Array | undefined;
}

/** The machine writes by itself what is older. */
const maxStored = 64;

/** The last transactions of a disk that lies: a loss of power takes some of them back. */
export class Journal {
  readonly #transactions: Undo[][] = [];
  #open: Undo[] = [];

  begin(): void {
    this.#open = [];
  }

  note(name: TableName, key: Uint8Array, value: Uint8Array | undefined): void {
    this.#open.push({ name, key: key.slice(), value });
  }

  end(isKept: boolean): void {
    if (isKept) this.#transactions.push(this.#open);
    if (this.#transactions.length > maxStored) this.#transactions.shift();
  }

  clear(): void {
    this.#transactions.length = 0;
  }

  /** Takes back the newest transactions. @returns how many there were */
  lose(count: number, memory: MemoryStore): number {
    const lost = this.#transactions.splice(Math.max(0, this.#transactions.length - count)).reverse();
    memory.write((tables) => {
      for (const changes of lost)
        for (const { name, key, value } of changes.reverse())
          if (value === undefined) tables(name).delete(key);
          else tables(name).put(key, value);
    });
    this.clear();
    return lost.length;
  }
}
