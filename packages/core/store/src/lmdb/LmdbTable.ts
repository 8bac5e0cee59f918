import type { Database, RangeOptions } from "lmdb";
import type { TransactionSpaceCheck } from "../freeSpace/TransactionSpaceCheck.js";
import { isKey, requireKey } from "../keySize.js";
import { maximumKeyBytes, type Range, type Table } from "../Store.js";
import type { Seal } from "../seal/Seal.js";

const lowestKey = Uint8Array.of(0);

/** The library's facts about a tree of pages. */
export interface TreeFacts {
  readonly entryCount?: number;
  readonly treeBranchPageCount?: number;
  readonly treeLeafPageCount?: number;
  readonly overflowPages?: number;
}

/** Pages of a tree. */
export function pagesOf(facts: TreeFacts = {}): number {
  return (facts.treeBranchPageCount ?? 0) + (facts.treeLeafPageCount ?? 0) + (facts.overflowPages ?? 0);
}

/** The checks that a table makes at its store before each use. */
export interface StoreGuard {
  checkUsable(forWriting: boolean): void;
  readonly room: Pick<TransactionSpaceCheck, "put" | "delete">;
}

/** How the values of a table are checked. */
export interface TableCheck {
  readonly seal: Seal;
  /** Reports what is damaged, and makes the error that is thrown. */
  damaged(key: Uint8Array): Error;
}

/** One named LMDB database. A value that is not what was written is never given out. @spec 30 §5.8 */
export class LmdbTable implements Table {
  private readonly database: Database<Uint8Array, Uint8Array> | undefined;
  private readonly store: StoreGuard;
  private readonly check: TableCheck | undefined;

  /**
   * @param database `undefined` for a table that does not exist yet, in an environment opened for reading
   * @param check left out where values have no seals
   */
  constructor(database: Database<Uint8Array, Uint8Array> | undefined, store: StoreGuard, check?: TableCheck) {
    this.database = database;
    this.store = store;
    this.check = check;
  }

  get(key: Uint8Array): Uint8Array | undefined {
    this.store.checkUsable(false);
    if (!isKey(key)) return undefined;
    const value = this.database?.getBinary(key);
    return value === undefined ? undefined : this.whole(key, value);
  }

  has(key: Uint8Array): boolean {
    this.store.checkUsable(false);
    return isKey(key) && (this.database?.doesExist(key) ?? false);
  }

  *range(range: Range = {}): Generator<readonly [Uint8Array, Uint8Array]> {
    this.store.checkUsable(false);
    const { from, to, reverse = false, limit } = range;
    const isEmpty = limit === 0 || (reverse ? from : to)?.length === 0;
    if (this.database === undefined || isEmpty) return;
    const options: RangeOptions = { reverse, ...startOf(from, reverse), ...endOf(to, reverse) };
    if (limit !== undefined) options.limit = limit;
    const entries = this.database.getRange(options);
    for (const { key, value } of entries) yield [copyBytes(key), copyBytes(this.whole(key, value))];
  }

  count(): number {
    this.store.checkUsable(false);
    const facts: { entryCount?: number } = this.database?.getStats() ?? {};
    return facts.entryCount ?? 0;
  }

  /** `undefined` for a table that is not there. */
  usage(): { readonly entries: number; readonly pages: number } | undefined {
    const facts: TreeFacts | undefined = this.database?.getStats();
    return facts === undefined ? undefined : { entries: facts.entryCount ?? 0, pages: pagesOf(facts) };
  }

  put(key: Uint8Array, value: Uint8Array): void {
    this.store.checkUsable(true);
    requireKey(key);
    const stored = this.check === undefined ? value : this.check.seal.close(key, value);
    this.store.room.put(key.length + stored.length);
    this.database?.putSync(key, stored);
  }

  delete(key: Uint8Array): void {
    this.store.checkUsable(true);
    if (!isKey(key)) return;
    this.store.room.delete();
    this.database?.removeSync(key);
  }

  /** Returns the written value, from the stored bytes. */
  private whole(key: Uint8Array, stored: Uint8Array): Uint8Array {
    if (this.check === undefined) return plainBytes(stored);
    const value = this.check.seal.open(key, stored);
    if (value === undefined) throw this.check.damaged(copyBytes(key));
    return value;
  }
}

// The library takes no bounds that are longer than keys: what follows a cut one then lies behind the whole one too.
function startOf(from: Uint8Array | undefined, reverse: boolean) {
  if (from === undefined || from.length === 0) return {};
  return { start: from.subarray(0, maximumKeyBytes), exclusiveStart: !reverse && from.length > maximumKeyBytes };
}

function endOf(to: Uint8Array | undefined, reverse: boolean) {
  // Left to itself the library stops before the key of one zero byte, the lowest there is.
  if (to === undefined || to.length === 0) return reverse ? { end: lowestKey, inclusiveEnd: true } : {};
  return { end: to.subarray(0, maximumKeyBytes), inclusiveEnd: !reverse && to.length > maximumKeyBytes };
}

/** The library returns Buffers, with a `slice` that differs from that of a Uint8Array; these are copies already. */
function plainBytes(buffer: Uint8Array): Uint8Array {
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
}

function copyBytes(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(bytes.length);
  copy.set(bytes);
  return copy;
}
