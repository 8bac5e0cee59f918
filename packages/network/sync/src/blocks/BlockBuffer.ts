import { concatBytes, emptyBytes, equalBytes } from "@vedette/crypto";
import { hashKey } from "@vedette/protocol";
import type { ReadableTable, Store, Table, WritableTables } from "@vedette/store";

/** The changes that resolving a hash made. */
export interface BufferChange {
  readonly changed: readonly Uint8Array[];
  readonly released: readonly Uint8Array[];
  /** Blocks that wait no longer. */
  readonly left: number;
}

const hashBytes = 32;
const waitingMark = 0x00;
const awaitedMark = 0x01;
const maxMissing = 256;
const maxExamined = 8;
const maxWaitingFor = 64;

/**
 * The blocks that are stored but wait for others, and for which ones.
 *
 * The graph lies in the store alone, so a node may have any number of blocks to catch up with, and goes on after a
 * kill where it was. Two kinds of entries: block → the hashes that it waits for, and (hash, block) → nothing, which
 * finds the blocks that wait for a hash. In memory are the pendants alone, the edge of what is known: few, however
 * long the chain behind them is.
 *
 * @spec 40 §4.3
 */
export class BlockBuffer {
  readonly #store: Store;
  readonly #table: ReadableTable;
  /** Hashes that are awaited and do not wait themselves. */
  readonly #pendants = new Map<string, Uint8Array>();
  #size = 0;

  constructor(store: Store) {
    this.#store = store;
    this.#table = store.table("bufferedBlocks");
    const middle = Uint8Array.of(awaitedMark);
    for (const _ of this.#table.range({ from: Uint8Array.of(waitingMark), to: middle })) this.#size++;
    let last: Uint8Array = emptyBytes;
    for (const [key] of this.#table.range({ from: middle })) {
      const hash = key.subarray(1, 1 + hashBytes);
      if (equalBytes(hash, last)) continue;
      last = hash.slice();
      if (!this.isWaiting(last)) this.#pendants.set(hashKey(last), last);
    }
  }

  /** How many blocks wait. */
  get size(): number {
    return this.#size;
  }

  /** Whether the block waits for others. @spec 40 §4.3 ("contains") */
  isWaiting(hash: Uint8Array): boolean {
    return this.#table.has(waitingKey(hash));
  }

  /** Whether others wait for the hash. @spec 40 §5.8 */
  isAwaited(hash: Uint8Array): boolean {
    for (const _ of this.#table.range({ ...awaitedRange(hash), limit: 1 })) return true;
    return false;
  }

  /** Blocks that wait for the hash; not all where many do, unless one wants them. */
  waitingFor(hash: Uint8Array, limit = maxWaitingFor): Uint8Array[] {
    const found = this.#table.range({ ...awaitedRange(hash), limit });
    return [...found].map(([key]) => key.slice(1 + hashBytes));
  }

  /** Returns the hashes that a block waits for. */
  missingOf(block: Uint8Array): Uint8Array[] {
    return hashesOf(this.#table.get(waitingKey(block)) ?? emptyBytes);
  }

  /** The block that waits and comes next by its hash, the first one behind the last; `undefined` where none waits. */
  waitingAfter(hash: Uint8Array | undefined): Uint8Array | undefined {
    const [first, end] = [Uint8Array.of(waitingMark), Uint8Array.of(awaitedMark)];
    if (hash !== undefined)
      for (const [key] of this.#table.range({
        from: concatBytes(waitingKey(hash), Uint8Array.of(0)),
        to: end,
        limit: 1,
      }))
        return key.slice(1);
    for (const [key] of this.#table.range({ from: first, to: end, limit: 1 })) return key.slice(1);
    return undefined;
  }

  /** A block that waits for the hash and for nothing else, if one of the first that wait for it is such. */
  waitingOnlyFor(hash: Uint8Array): Uint8Array | undefined {
    for (const [key] of this.#table.range({ ...awaitedRange(hash), limit: maxExamined })) {
      const block = key.slice(1 + hashBytes);
      if (this.missingOf(block).every((one) => equalBytes(one, hash))) return block;
    }
    return undefined;
  }

  /** Records that a block waits, and for what; in place of what was recorded before. */
  add(block: Uint8Array, dependencies: readonly Uint8Array[]): void {
    let before: Uint8Array[] | undefined;
    this.#store.write((tables) => {
      const table = tables("bufferedBlocks");
      before = forgetWaiting(table, block);
      table.put(waitingKey(block), concatBytes(...dependencies));
      for (const dependency of dependencies) table.put(awaitedKey(dependency, block), emptyBytes);
    });
    if (before === undefined) this.#size++;
    for (const hash of [block, ...(before ?? []), ...dependencies]) this.#updatePendant(hash);
  }

  /** A block waits no longer, since it is known not to refer to what was absent. */
  leave(block: Uint8Array): void {
    if (!this.isWaiting(block)) return;
    let before: Uint8Array[] = [];
    this.#store.write((tables) => (before = forgetWaiting(tables("bufferedBlocks"), block) ?? []));
    this.#size--;
    for (const hash of [block, ...before]) this.#updatePendant(hash);
  }

  /**
   * Records that a block is in the DAG.
   *
   * @returns the blocks that now wait for nothing; they are no longer in the buffer
   */
  resolve(hash: Uint8Array): Uint8Array[] {
    let resolution: BufferChange | undefined;
    if (this.#isConcerned(hash)) this.#store.write((tables) => (resolution = this.resolveIn(tables, hash)));
    return resolution === undefined ? [] : this.take(resolution);
  }

  /**
   * As {@link resolve}, within a larger transaction.
   *
   * @returns the argument of {@link take} when the transaction is on disk; `undefined` if nothing changes
   */
  resolveIn(tables: WritableTables, hash: Uint8Array): BufferChange | undefined {
    if (!this.#isConcerned(hash)) return undefined;
    const table = tables("bufferedBlocks");
    const before = forgetWaiting(table, hash);
    const released: Uint8Array[] = [];
    for (const block of [...awaiting(table, hash)]) {
      table.delete(awaitedKey(hash, block));
      const left = hashesOf(table.get(waitingKey(block)) ?? emptyBytes).filter((one) => !equalBytes(one, hash));
      if (left.length > 0) table.put(waitingKey(block), concatBytes(...left));
      else {
        table.delete(waitingKey(block));
        released.push(block);
      }
    }
    const left = released.length + (before === undefined ? 0 : 1);
    return { changed: [hash, ...(before ?? []), ...released], released, left };
  }

  /** Takes a resolution that is on disk into memory. @returns the blocks that now wait for nothing */
  take({ changed, released, left }: BufferChange): Uint8Array[] {
    this.#size -= left;
    for (const one of changed) this.#updatePendant(one);
    return [...released];
  }

  /**
   * Hashes that blocks wait for and that do not wait themselves: absent, or stored and to be tried. Where there are more
   * than the limit, the next call begins with the others.
   *
   * @spec 40 §4.6
   */
  pendants(limit = maxMissing): Uint8Array[] {
    const found: Uint8Array[] = [];
    for (const hash of this.#pendants.values()) {
      if (found.length >= limit) break;
      found.push(hash);
    }
    if (found.length < this.#pendants.size) for (const hash of found) this.#moveLast(hash);
    return found;
  }

  #moveLast(hash: Uint8Array): void {
    const key = hashKey(hash);
    this.#pendants.delete(key);
    this.#pendants.set(key, hash);
  }

  /** How many hashes {@link pendants} could name. */
  get pendantCount(): number {
    return this.#pendants.size;
  }

  /**
   * Gives up the hash that has been looked for longest, and with it the blocks that wait for it. They stay stored, and
   * wait again when another block refers to them, or when a peer announces them.
   */
  dropOldestPendant(): void {
    const oldest = this.#pendants.values().next().value;
    if (oldest !== undefined) this.giveUp(oldest);
  }

  /**
   * Gives up a hash, and with it the blocks that wait for it.
   *
   * @returns the hashes that no block waits for any more
   */
  giveUp(hash: Uint8Array): Uint8Array[] {
    const changed = [hash];
    let left = 0;
    this.#store.write((tables) => {
      const table = tables("bufferedBlocks");
      for (const block of [...awaiting(table, hash)]) {
        const before = forgetWaiting(table, block);
        changed.push(block, ...(before ?? []));
        if (before !== undefined) left++;
      }
    });
    this.#size -= left;
    for (const one of changed) this.#updatePendant(one);
    return changed.filter((one) => !this.isAwaited(one));
  }

  /**
   * Brings the buffer in line with the DAG, in case the process ended between the two writes.
   *
   * @param isInDag whether a block was recorded
   * @returns the blocks that wait for nothing
   */
  recover(isInDag: (hash: Uint8Array) => boolean): Uint8Array[] {
    const released: Uint8Array[] = [];
    for (const hash of this.pendants(Number.POSITIVE_INFINITY)) if (isInDag(hash)) released.push(...this.resolve(hash));
    return released.filter((hash) => !isInDag(hash));
  }

  #updatePendant(hash: Uint8Array): void {
    if (this.isAwaited(hash) && !this.isWaiting(hash)) this.#pendants.set(hashKey(hash), hash.slice());
    else this.#pendants.delete(hashKey(hash));
  }

  #isConcerned(hash: Uint8Array): boolean {
    return this.isAwaited(hash) || this.isWaiting(hash);
  }
}

/** @returns the hashes that the block waited for; `undefined` if it did not wait */
function forgetWaiting(table: Table, block: Uint8Array): Uint8Array[] | undefined {
  const joined = table.get(waitingKey(block));
  if (joined === undefined) return undefined;
  const dependencies = hashesOf(joined);
  for (const dependency of dependencies) table.delete(awaitedKey(dependency, block));
  table.delete(waitingKey(block));
  return dependencies;
}

function* awaiting(table: ReadableTable, hash: Uint8Array): Generator<Uint8Array> {
  for (const [key] of table.range(awaitedRange(hash))) yield key.slice(1 + hashBytes);
}

function waitingKey(block: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(waitingMark), block);
}

function awaitedKey(dependency: Uint8Array, block: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(awaitedMark), dependency, block);
}

function awaitedRange(dependency: Uint8Array): { from: Uint8Array; to: Uint8Array } {
  const from = concatBytes(Uint8Array.of(awaitedMark), dependency);
  return { from, to: concatBytes(from, new Uint8Array(hashBytes + 1).fill(0xff)) };
}

function hashesOf(joined: Uint8Array): Uint8Array[] {
  const hashes: Uint8Array[] = [];
  for (let start = 0; start < joined.length; start += hashBytes) hashes.push(joined.slice(start, start + hashBytes));
  return hashes;
}
