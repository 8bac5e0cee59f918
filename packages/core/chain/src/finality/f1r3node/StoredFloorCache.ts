import { concatBytes } from "@vedette/crypto";
import { hashKey } from "@vedette/protocol";
import type { ReadableTable, Store, WritableTables } from "@vedette/store";
import { type DerivedFloor, type FloorCache, MemoryFloorCache } from "./FloorCache.js";

/** The floor facts that were derived for one block. */
export interface BlockFloor extends DerivedFloor {
  readonly hash: Uint8Array;
}

const table = "floors";
const hashBytes = 32;
const maxUnwritten = 64;

/** Within a transaction: these floors take the place of all that were kept. */
export function replaceFloors(tables: WritableTables, floors: Iterable<BlockFloor>): void {
  for (const [key] of [...tables(table).range()]) tables(table).delete(key);
  for (const floor of floors) writeFloor(tables, floor);
}

/** All floors that are kept, in no order. */
export function* storedFloors(store: Store): Generator<BlockFloor> {
  for (const [hash, value] of store.table(table).range()) {
    const found = readFloor(value.slice());
    if (found !== undefined) yield { hash: hash.slice(), ...found };
  }
}

function writeFloor(tables: WritableTables, { hash, floor, frontier }: BlockFloor): void {
  tables(table).put(hash, frontier === undefined ? floor : concatBytes(floor, frontier));
}

/**
 * Keeps floors on disk, so that neither a restart nor the beginning at a state needs to derive them.
 *
 * Those that are derived are written some at a time: what a kill takes away is derived again.
 *
 * @spec 61 §13.3
 */
export class StoredFloorCache implements FloorCache {
  private readonly store: Store;
  private readonly floors: ReadableTable;
  private memory = new MemoryFloorCache();
  private readonly unwritten = new Map<string, BlockFloor>();

  /** @param store has the tables of the chain environment */
  constructor(store: Store) {
    this.store = store;
    this.floors = store.table(table);
  }

  find(hash: Uint8Array): DerivedFloor | undefined {
    const known = this.memory.find(hash) ?? this.unwritten.get(hashKey(hash));
    if (known !== undefined) return known;
    const stored = hash.length === hashBytes ? this.floors.get(hash) : undefined;
    const found = stored === undefined ? undefined : readFloor(stored);
    if (found !== undefined) this.memory.put(hash, found);
    return found;
  }

  put(hash: Uint8Array, { floor, frontier }: DerivedFloor): void {
    this.memory.put(hash, { floor, frontier });
    this.unwritten.set(hashKey(hash), { hash, floor, frontier });
    if (this.unwritten.size >= maxUnwritten) this.flush();
  }

  /** Writes what is not on disk yet. */
  flush(): void {
    if (this.unwritten.size === 0) return;
    const floors = [...this.unwritten.values()];
    this.store.write((tables) => {
      for (const floor of floors) writeFloor(tables, floor);
    });
    this.unwritten.clear();
  }

  /** Forgets what is in memory, after {@link replaceFloors}. */
  reload(): void {
    this.memory = new MemoryFloorCache();
    this.unwritten.clear();
  }
}

/** @returns `undefined` for what is no floor, so that it is derived again */
function readFloor(stored: Uint8Array): DerivedFloor | undefined {
  if (stored.length === hashBytes) return { floor: stored, frontier: undefined };
  if (stored.length !== 2 * hashBytes) return undefined;
  return { floor: stored.slice(0, hashBytes), frontier: stored.slice(hashBytes) };
}
