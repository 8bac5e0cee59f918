import type { ReadableTable, Store, WritableTables } from "../Store.js";
import type { TableName } from "../tables.js";
import { BatchingStore } from "./BatchingStore.js";

/**
 * A store that holds its writes in memory and drops them with it: for trials on the data of another store, which stay
 * unchanged.
 *
 * @spec 30 §5.8
 */
export class OverlayStore implements Store {
  private readonly held: BatchingStore;

  /** @param below may be open for reading alone; closed with this one */
  constructor(below: Store) {
    this.held = new BatchingStore(below);
  }

  table(name: TableName): ReadableTable {
    return this.held.table(name);
  }

  /** @throws {StoreError} also where far too much is held */
  write(work: (tables: WritableTables) => void): void {
    this.held.write(work);
  }

  together<Result>(work: () => Result): Result {
    return this.held.together(work);
  }

  /** Nothing written here survives anything. */
  async sync(): Promise<void> {}

  close(): Promise<void> {
    return this.held.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
