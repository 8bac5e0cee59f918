import type { Database } from "lmdb";
import { maximumKeyBytes, type Range, type Table } from "../Store.js";
import { StoreError } from "../StoreError.js";

const lowestKey = Uint8Array.of(0);

/** What a table asks of its store before each use. */
export interface Usable {
  checkUsable(forWriting: boolean): void;
}

/** One named LMDB database. @spec 30 §5.8 */
export class LmdbTable implements Table {
  private readonly database: Database<Uint8Array, Uint8Array> | undefined;
  private readonly store: Usable;

  /** @param database `undefined` for a table that does not exist yet, in an environment opened for reading */
  constructor(database: Database<Uint8Array, Uint8Array> | undefined, store: Usable) {
    this.database = database;
    this.store = store;
  }

  get(key: Uint8Array): Uint8Array | undefined {
    this.store.checkUsable(false);
    checkKey(key);
    const value = this.database?.getBinary(key);
    return value === undefined ? undefined : plainBytes(value);
  }

  has(key: Uint8Array): boolean {
    this.store.checkUsable(false);
    checkKey(key);
    return this.database?.doesExist(key) ?? false;
  }

  *range(range: Range = {}): Generator<readonly [Uint8Array, Uint8Array]> {
    this.store.checkUsable(false);
    const { from, to, reverse = false, limit } = range;
    if (this.database === undefined || limit === 0) return;
    const entries = this.database.getRange({
      reverse,
      ...(from === undefined ? {} : { start: from }),
      // Left to itself the library stops before the key of one zero byte, the lowest there is.
      ...(to !== undefined ? { end: to } : reverse ? { end: lowestKey, inclusiveEnd: true } : {}),
      ...(limit === undefined ? {} : { limit }),
    });
    for (const { key, value } of entries) yield [copyBytes(key), copyBytes(value)];
  }

  count(): number {
    this.store.checkUsable(false);
    const facts: { entryCount?: number } = this.database?.getStats() ?? {};
    return facts.entryCount ?? 0;
  }

  put(key: Uint8Array, value: Uint8Array): void {
    this.store.checkUsable(true);
    checkKey(key);
    this.database?.putSync(key, value);
  }

  delete(key: Uint8Array): void {
    this.store.checkUsable(true);
    checkKey(key);
    this.database?.removeSync(key);
  }
}

function checkKey(key: Uint8Array): void {
  if (key.length === 0 || key.length > maximumKeyBytes) {
    throw new StoreError({ code: "keySize", sizeBytes: key.length, limitBytes: maximumKeyBytes });
  }
}

/** The library returns Buffers, whose `slice` differs from that of a Uint8Array; these are copies already. */
function plainBytes(buffer: Uint8Array): Uint8Array {
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
}

function copyBytes(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(bytes.length);
  copy.set(bytes);
  return copy;
}
