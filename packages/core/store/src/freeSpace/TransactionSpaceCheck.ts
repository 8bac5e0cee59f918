import { StoreError } from "../StoreError.js";
import { freeSpaceOf } from "./freeSpaceOf.js";

/**
 * Free room without which nothing is written at all: what a file system needs for itself, and what others may take
 * between a look and the write.
 */
const minBytes = 1 << 20;
const pageBytes = 4096;
/** Longer values have pages of their own; shorter ones share pages, which may be half empty. */
const sharedBytes = pageBytes / 2;

/**
 * Whether the disk has room for what a transaction is about to write.
 *
 * LMDB must never meet a full disk: it then writes its error text beyond the end of a buffer (`mdb_page_flush`, the
 * `sprintf` into 100 bytes), which ends the process sooner or later. So the maximum need of a transaction is added up,
 * and the transaction is aborted if the disk has less. `LowDiskGate` of `node` looks at the disk once a second instead, and
 * keeps new work from beginning.
 */
export class TransactionSpaceCheck {
  readonly #path: string;
  readonly #reserveBytes: number;
  /** The maximum need of the present transaction. */
  #neededBytes = 0;
  /** The room for it at the last look. */
  #foundBytes = 0;

  /** @param reserveBytes room that only deleting transactions may use */
  constructor(path: string, reserveBytes: number) {
    this.#path = path;
    this.#reserveBytes = reserveBytes;
  }

  /** Another transaction begins. */
  begin(): void {
    this.#neededBytes = 0;
    this.#foundBytes = 0;
  }

  /**
   * Called before something is put.
   *
   * @param sizeBytes of key and value
   * @throws {StoreError} `reserved`, `full`
   * @cost one look at the disk for most transactions
   */
  put(sizeBytes: number): void {
    this.#need(pageBytes + (sizeBytes > sharedBytes ? sizeBytes + pageBytes : 2 * sizeBytes), this.#reserveBytes);
  }

  /** Called before something is deleted: pages that change are written to other places. @throws {StoreError} `full` */
  delete(): void {
    this.#need(pageBytes, 0);
  }

  #need(bytes: number, reserveBytes: number): void {
    this.#neededBytes += bytes;
    if (this.#neededBytes <= this.#foundBytes) return;
    const freeBytes = freeSpaceOf(this.#path)?.freeBytes ?? Number.POSITIVE_INFINITY;
    const path = this.#path;
    if (freeBytes < reserveBytes) throw new StoreError({ code: "reserved", path, freeBytes, reserveBytes });
    if (freeBytes < minBytes + this.#neededBytes) throw new StoreError({ code: "full", path });
    this.#foundBytes = freeBytes - Math.max(minBytes, this.#reserveBytes);
  }
}

/** Refuses to begin with what writes some pages, where there is hardly any room. @throws {StoreError} `full` */
export function requireFreeSpace(path: string): void {
  const room = freeSpaceOf(path);
  if (room !== undefined && room.freeBytes < minBytes) throw new StoreError({ code: "full", path });
}
