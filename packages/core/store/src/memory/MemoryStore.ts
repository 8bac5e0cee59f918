import type { ReadableTable, Store, Table, WritableTables } from "../Store.js";
import { StoreError } from "../StoreError.js";
import type { TableName } from "../tables.js";
import { commitOrRollback, WriteSerializer } from "../WriteSerializer.js";
import { MemoryTable } from "./MemoryTable.js";

const path = "memory";

/** A store in memory, for tests and short-lived states: the same behaviour, gone when closed. @spec 30 §5.8 */
export class MemoryStore implements Store {
  private readonly tables = new Map<TableName, MemoryTable>();
  private readonly names: ReadonlySet<TableName>;
  private readonly turns = new WriteSerializer(path, (work) => commitOrRollback(this.tables, work));

  constructor(names: readonly TableName[]) {
    this.names = new Set(names);
  }

  table(name: TableName): ReadableTable {
    return this.requireTable(name);
  }

  write(work: (tables: WritableTables) => void): void {
    this.turns.write(() => work((name): Table => this.requireTable(name)));
  }

  together<Result>(work: () => Result): Result {
    return this.turns.together(work);
  }

  async sync(): Promise<void> {
    this.checkUsable(false);
  }

  async close(): Promise<void> {
    this.turns.close();
    this.tables.clear();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Called by the tables: whether reading, and writing, is possible now. */
  checkUsable(forWriting: boolean): void {
    this.turns.checkUsable(forWriting);
  }

  private requireTable(name: TableName): MemoryTable {
    if (!this.names.has(name)) throw new StoreError({ code: "unknownTable", table: name });
    let table = this.tables.get(name);
    if (table === undefined) this.tables.set(name, (table = new MemoryTable(this)));
    return table;
  }
}
