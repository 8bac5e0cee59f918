import type { ReadableTable, Store, Table, WritableTables } from "../Store.js";
import { StoreError } from "../StoreError.js";
import type { TableName } from "../tables.js";
import { commitOrRollback, WriteSerializer } from "../WriteSerializer.js";
import { BatchingTable } from "./BatchingTable.js";

const path = "a group of writes";
/** How writes are held; what is left out is usual. */
export interface GroupedStoreOptions {
  /** Whether writes are held from the beginning. */
  readonly isHolding?: boolean;
  /** Beyond it nothing more is taken: the flushing caller does not keep up, or cannot. */
  readonly maxHeldBytes?: number;
}

/**
 * A store that holds writes in memory, visible to its readers, until {@link flush} makes one transaction of them. Many
 * writes wait once for the disk, where no caller needs each on disk when it returns. A kill, or a loss of power, leaves
 * what was there after some flush. Readers of the store below see nothing of what is held.
 * While it does not hold, each write goes to disk at once, as with any other store.
 *
 * @spec 30 §5.8
 */
export class BatchingStore implements Store {
  private readonly below: Store;
  private readonly tables = new Map<TableName, BatchingTable>();
  private readonly turns = new WriteSerializer(path, (work) => commitOrRollback(this.tables, work));
  private bytes = 0;
  /** Called after each write with the bytes that are held. */
  onHeld: ((bytes: number) => void) | undefined;
  private holds: boolean;
  private readonly maxHeldBytes: number;

  /** @param below written by this one alone */
  constructor(below: Store, { isHolding = true, maxHeldBytes = 256 << 20 }: GroupedStoreOptions = {}) {
    this.below = below;
    this.holds = isHolding;
    this.maxHeldBytes = maxHeldBytes;
  }

  /** Whether writes are held now. */
  get isHolding(): boolean {
    return this.holds;
  }

  /** From now on writes are held. */
  hold(): void {
    this.holds = true;
  }

  /** Writes all that is held, and holds nothing from now on. @throws {StoreError}; it goes on holding then */
  release(): void {
    this.flush();
    this.holds = false;
  }

  /** The size of the pending keys and values. */
  get heldBytes(): number {
    return this.bytes;
  }

  /** Writes all that is held, in one transaction. Where that fails all of it stays held. @throws {StoreError} */
  flush(): void {
    this.turns.checkIdle();
    const changed = [...this.tables].filter(([, table]) => !table.isEmpty);
    if (changed.length === 0) return;
    this.below.write((tables) => {
      for (const [name, table] of changed) table.writeTo(tables(name));
    });
    for (const [, table] of changed) table.clear();
  }

  /** Gives up all that is held. */
  discard(): void {
    this.turns.checkIdle();
    for (const table of this.tables.values()) table.clear();
  }

  table(name: TableName): ReadableTable {
    return this.tableOf(name);
  }

  /** @throws {StoreError} also where far too much is held */
  write(work: (tables: WritableTables) => void): void {
    if (!this.holds) {
      this.below.write(work);
      return;
    }
    if (this.bytes > this.maxHeldBytes)
      throw new StoreError({ code: "failed", path, reason: "too much is held in memory" });
    this.turns.write(() => work((name): Table => this.tableOf(name)));
    if (!this.turns.isGrouped) this.onHeld?.(this.bytes);
  }

  together<Result>(work: () => Result): Result {
    if (!this.holds) return this.below.together(work);
    const result = this.turns.together(work);
    this.onHeld?.(this.bytes);
    return result;
  }

  /** As {@link flush}. */
  async sync(): Promise<void> {
    this.flush();
    await this.below.sync();
  }

  /** Closes the store below. What was not flushed is given up. */
  async close(): Promise<void> {
    if (!this.turns.close()) return;
    this.tables.clear();
    await this.below.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Called by the tables: whether reading, and writing, is possible now. */
  checkUsable(forWriting: boolean): void {
    this.turns.checkUsable(forWriting);
  }

  /** Called by the tables: bytes that are held more, or fewer. */
  held(bytes: number): void {
    this.bytes += bytes;
  }

  private tableOf(name: TableName): BatchingTable {
    let table = this.tables.get(name);
    if (table === undefined) this.tables.set(name, (table = new BatchingTable(this.below.table(name), this)));
    return table;
  }
}
