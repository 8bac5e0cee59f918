import { emptyBytes } from "@vedette/crypto";
import { type Block, encodeBlock } from "@vedette/protocol";
import type { ReadableTable, Store, Table, WritableTables } from "@vedette/store";
import { ChainError } from "../ChainError.js";
import type { YieldToEventLoop } from "../dag/yieldToEventLoop.js";
import { takeTurns } from "../takeTurns.js";
import { PackCache, readPacked } from "./packedBlocks.js";

/**
 * A longer block is stored in parts of this many bytes: writing one takes some milliseconds and a flush of the disk.
 */
export const defaultPartBytes = 4 << 20;

/** Keys: a writing that is not entered yet, and the parts themselves. */
const kinds = { unfinished: 0, part: 1 };

/** Begins no block's bytes: no protobuf field has the number 0. */
const entryMark = 0;
const entryBytes = 13;

/** The entry that replaces the bytes of a block that is stored in parts. */
export interface ChunkedBlockEntry {
  /** The number of this writing: each copy of a block has another one. */
  readonly number: bigint;
  readonly lengthBytes: number;
}

/** The tables that hold blocks, of a store or of a write. */
export type BlockTables = (name: "blocks" | "blockParts" | "packedBlocks") => ReadableTable;

/**
 * Stores large blocks in parts, each in a transaction of its own, so that none keeps the thread for long.
 *
 * The parts of one writing share a number that no other has, with a mark beside them. Entering the block puts the
 * number in place of its bytes and removes the mark. A reader finds the whole block or none.
 *
 * @spec 40 §4.9, §6.1
 */
export class BlockChunks {
  readonly #store: Store;
  readonly #yieldNow: YieldToEventLoop;
  readonly #partBytes: number;
  /** The numbers of blocks that have all their parts written. */
  readonly #prepared = new WeakMap<Block, bigint>();
  #highest = 0n;
  #leftovers: Promise<void> | undefined;
  readonly #inTurn = takeTurns();

  /** @param store has the tables of the chain environment */
  constructor(store: Store, yieldNow: YieldToEventLoop, partBytes: number) {
    this.#store = store;
    this.#yieldNow = yieldNow;
    this.#partBytes = partBytes;
  }

  /** Whether a block is stored in parts. */
  isFor(block: Block): boolean {
    return encodeBlock(block).length > this.#partBytes;
  }

  /** Throws away what a process has left that ended amid a writing. Writings wait for it. */
  discardLeftovers(): Promise<void> {
    this.#leftovers ??= this.#discardAll();
    return this.#leftovers;
  }

  /** Writes the parts of a block that is to be entered soon. One block after the other. */
  prepare(block: Block): Promise<void> {
    return this.#inTurn(() => this.#writeParts(block));
  }

  /**
   * Makes the entry of a block within a larger transaction, from the parts that are there, or with all of them.
   *
   * @param known the present entry, or `undefined`
   */
  enter(tables: WritableTables, block: Block, known: ChunkedBlockEntry | undefined): ChunkedBlockEntry {
    const parts = tables("blockParts");
    const { length: lengthBytes } = encodeBlock(block);
    const prepared = this.#prepared.get(block);
    if (prepared !== undefined && prepared === known?.number) return known;
    if (prepared !== undefined && parts.has(keyOf(kinds.unfinished, prepared))) {
      parts.delete(keyOf(kinds.unfinished, prepared));
      return { number: prepared, lengthBytes };
    }
    const number = this.#nextNumber(parts);
    for (const [index, part] of this.#cut(block).entries()) parts.put(partKey(number, index), part);
    return { number, lengthBytes };
  }

  /** Within a larger transaction. */
  remove(tables: WritableTables, { number }: ChunkedBlockEntry): void {
    const parts = tables("blockParts");
    for (let index = 0; parts.has(partKey(number, index)); index += 1) parts.delete(partKey(number, index));
  }

  async #writeParts(block: Block): Promise<void> {
    await this.discardLeftovers();
    const before = this.#prepared.get(block);
    if (before !== undefined && this.#store.table("blockParts").has(keyOf(kinds.unfinished, before))) return;
    let number: bigint | undefined;
    try {
      for (const [index, part] of this.#cut(block).entries()) {
        this.#store.write((tables) => {
          const parts = tables("blockParts");
          number ??= this.#begin(parts);
          parts.put(partKey(number, index), part);
        });
        await this.#yieldNow();
      }
    } catch (error) {
      if (number !== undefined) this.#discard(number);
      throw error;
    }
    if (number !== undefined) this.#prepared.set(block, number);
  }

  #begin(parts: Table): bigint {
    const number = this.#nextNumber(parts);
    parts.put(keyOf(kinds.unfinished, number), emptyBytes);
    return number;
  }

  async #discardAll(): Promise<void> {
    const marks = { from: Uint8Array.of(kinds.unfinished), to: Uint8Array.of(kinds.part) };
    for (const [key] of [...this.#store.table("blockParts").range(marks)]) {
      this.#discard(numberIn(key));
      await this.#yieldNow();
    }
  }

  /** To free pages is quick, however many there are. What cannot be thrown away now is so at the next start. */
  #discard(number: bigint): void {
    try {
      this.#store.write((tables) => {
        this.remove(tables, { number, lengthBytes: 0 });
        tables("blockParts").delete(keyOf(kinds.unfinished, number));
      });
    } catch {
      // The disk may be full, for example: the mark is still there.
    }
  }

  #nextNumber(parts: ReadableTable): bigint {
    for (const [key] of parts.range({ reverse: true, limit: 1 }))
      if (numberIn(key) > this.#highest) this.#highest = numberIn(key);
    this.#highest += 1n;
    return this.#highest;
  }

  #cut(block: Block): Uint8Array[] {
    const bytes = encodeBlock(block);
    const parts: Uint8Array[] = [];
    for (let start = 0; start < bytes.length; start += this.#partBytes)
      parts.push(bytes.subarray(start, start + this.#partBytes));
    return parts;
  }
}

/** @returns `undefined` for a block's own bytes */
export function readEntry(value: Uint8Array): ChunkedBlockEntry | undefined {
  if (value.length !== entryBytes || value[0] !== entryMark) return undefined;
  const view = new DataView(value.buffer, value.byteOffset, value.byteLength);
  return { number: view.getBigUint64(1), lengthBytes: view.getUint32(9) };
}

export function writeEntry({ number, lengthBytes }: ChunkedBlockEntry): Uint8Array {
  const value = new Uint8Array(entryBytes);
  const view = new DataView(value.buffer);
  value[0] = entryMark;
  view.setBigUint64(1, number);
  view.setUint32(9, lengthBytes);
  return value;
}

/**
 * The bytes of a stored block, from whatever tables: those of a store, or those within a write.
 *
 * @throws {ChainError} `blockDamaged` where parts are missing
 */
export function findBlockBytes(tables: BlockTables, hash: Uint8Array): Uint8Array | undefined {
  const value = hash.length === 32 ? tables("blocks").get(hash) : undefined;
  return value === undefined ? undefined : bytesOfEntry(tables, hash, value);
}

/**
 * @param value the table's value for the hash
 * @param packs keeps what was read last
 * @throws {ChainError} `blockDamaged`
 */
export function bytesOfEntry(
  tables: BlockTables,
  hash: Uint8Array,
  value: Uint8Array,
  packs: PackCache = new PackCache(),
): Uint8Array {
  const packed = readPacked(value);
  if (packed !== undefined) return packs.blockBytes(tables("packedBlocks"), hash, packed);
  const entry = readEntry(value);
  if (entry === undefined) return value;
  const bytes = new Uint8Array(entry.lengthBytes);
  let at = 0;
  for (const part of partsOf(tables, hash, entry)) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** @throws {ChainError} `blockDamaged` where parts are missing */
export function* partsOf(
  tables: BlockTables,
  hash: Uint8Array,
  { number, lengthBytes }: ChunkedBlockEntry,
): Generator<Uint8Array> {
  let left = lengthBytes;
  for (let index = 0; left > 0; index += 1) {
    const part = tables("blockParts").get(partKey(number, index));
    if (part === undefined || part.length === 0 || part.length > left)
      throw new ChainError({ code: "blockDamaged", hash });
    left -= part.length;
    yield part;
  }
}

function keyOf(kind: number, number: bigint): Uint8Array {
  const key = new Uint8Array(9);
  key[0] = kind;
  new DataView(key.buffer).setBigUint64(1, number);
  return key;
}

function partKey(number: bigint, index: number): Uint8Array {
  const key = new Uint8Array(13);
  key.set(keyOf(kinds.part, number));
  new DataView(key.buffer).setUint32(9, index);
  return key;
}

function numberIn(key: Uint8Array): bigint {
  return new DataView(key.buffer, key.byteOffset, key.byteLength).getBigUint64(1);
}
