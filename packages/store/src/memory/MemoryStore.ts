import type { ReadableTable, Store, Table, WritableTables, WriteGroup } from "../Store.js";
import { StoreError } from "../StoreError.js";
import type { TableName } from "../tables.js";
import { MemoryTable } from "./MemoryTable.js";

const path = "memory";

/** A store in memory, for tests and short-lived states: the same behaviour, gone when closed. @spec 30 §5.8 */
export class MemoryStore implements Store {
  private readonly tables = new Map<TableName, MemoryTable>();
  private readonly names: ReadonlySet<TableName>;
  private state: "idle" | "writing" | "closed" = "idle";
  private group: WriteGroup | undefined;

  constructor(names: readonly TableName[]) {
    this.names = new Set(names);
  }

  table(name: TableName): ReadableTable {
    return this.requireTable(name);
  }

  write(work: (tables: WritableTables) => void): void {
    this.checkUsable(false);
    if (this.state === "writing") throw new StoreError({ code: "failed", path, reason: "nested write" });
    const { group } = this;
    this.state = "writing";
    let done = false;
    try {
      work((name): Table => this.requireTable(name));
      done = true;
    } catch (error) {
      if (group !== undefined) group.failure ??= { error };
      throw error;
    } finally {
      if (group === undefined) this.finish(done);
      this.state = "idle";
    }
  }

  together<Result>(work: () => Result): Result {
    this.checkUsable(false);
    if (this.group !== undefined || this.state === "writing")
      throw new StoreError({ code: "failed", path, reason: "nested write" });
    const group: WriteGroup = {};
    this.group = group;
    let done = false;
    try {
      const result = work();
      if (group.failure !== undefined) throw group.failure.error;
      done = true;
      return result;
    } finally {
      this.group = undefined;
      this.finish(done);
    }
  }

  async sync(): Promise<void> {
    this.checkUsable(false);
  }

  async close(): Promise<void> {
    this.state = "closed";
    this.tables.clear();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Called by the tables: whether reading, and writing, is possible now. */
  checkUsable(forWriting: boolean): void {
    if (this.state === "closed") throw new StoreError({ code: "closed", path });
    if (forWriting && this.state !== "writing") {
      throw new StoreError({ code: "failed", path, reason: "a table is written outside of a write" });
    }
  }

  private finish(keep: boolean): void {
    for (const table of this.tables.values()) table.finish(keep);
  }

  private requireTable(name: TableName): MemoryTable {
    if (!this.names.has(name)) throw new StoreError({ code: "unknownTable", table: name });
    let table = this.tables.get(name);
    if (table === undefined) this.tables.set(name, (table = new MemoryTable(this)));
    return table;
  }
}
