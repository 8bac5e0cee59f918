import type { TableName } from "./tables.js";

/** Longest key in bytes that a table takes; the shortest has one byte. */
export const maximumKeyBytes = 1978;

/**
 * Which part of a table to walk through; keys are compared as unsigned bytes, a prefix before its extensions. Bounds
 * may have any length.
 */
export interface Range {
  /** First key, included; the first (or, in reverse, the last) of the table when left out. */
  readonly from?: Uint8Array | undefined;
  /** Where to stop, not included; the end (or, in reverse, the beginning) of the table when left out. */
  readonly to?: Uint8Array | undefined;
  /** Descending order: `from` is then the highest key, and `to` lies below it. */
  readonly reverse?: boolean;
  readonly limit?: number | undefined;
}

/**
 * A table for reading. Returned bytes belong to the caller and stay as they are. What clients and peers name is looked up as
 * it is: a key of an impossible length is not there.
 *
 * @spec 30 §5.8
 */
export interface ReadableTable {
  get(key: Uint8Array): Uint8Array | undefined;
  has(key: Uint8Array): boolean;
  range(range?: Range): Iterable<readonly [key: Uint8Array, value: Uint8Array]>;
  count(): number;
}

/** A table inside of a write: it sees what this write has put and deleted so far. @spec 30 §5.8 */
export interface Table extends ReadableTable {
  /** @throws {StoreError} `keySize` */
  put(key: Uint8Array, value: Uint8Array): void;
  delete(key: Uint8Array): void;
}

/** Gives out the tables of one write; they must not be used after it. */
export type WritableTables = (name: TableName) => Table;

/**
 * Ordered tables of bytes that change in atomic transactions.
 *
 * When `write` returns, its effects are all on disk; when it throws, none is. @spec 30 §5.8
 */
export interface Store extends AsyncDisposable {
  table(name: TableName): ReadableTable;
  /** Runs the work as one transaction. An exception of the work undoes all of it and is thrown on. */
  write(work: (tables: WritableTables) => void): void;
  /**
   * Makes one transaction of all writes within the work; its reads see them. An exception undoes all of them, also one
   * of a single write that the work has caught; the caller's memory is not restored.
   */
  together<Result>(work: () => Result): Result;
  /** Resolves when everything written so far would survive a loss of power. */
  sync(): Promise<void>;
  close(): Promise<void>;
}
