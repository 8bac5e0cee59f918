import { brotliCompress, brotliDecompressSync, constants } from "node:zlib";
import type { ReadableTable } from "@vedette/store";
import { ChainError } from "../ChainError.js";

/** Keys of the table: how far the packing has come, and the packs themselves. */
const kinds = { progress: 0, pack: 1 };

/** Begins no block's bytes, since the first field of a block has the number 1 and a length: 0x0a. */
const packedMark = 1;
const entryBytes = 17;

/** How the content of a pack is compressed. */
const brotli = 1;
const headBytes = 5;
/** The maximum content of a pack: the largest block that is packed, and those before it. */
export const longestPackBytes = 8 << 20;
/** One more takes three times as long, for 7 % less. */
const quality = 4;

/** The entry that replaces the bytes of a block that is packed with others. */
export interface PackedEntry {
  readonly pack: bigint;
  /** Where in the pack the block is, in bytes. */
  readonly offset: number;
  readonly lengthBytes: number;
}

/** @returns `undefined` for anything else */
export function readPacked(value: Uint8Array): PackedEntry | undefined {
  if (value.length !== entryBytes || value[0] !== packedMark) return undefined;
  const view = new DataView(value.buffer, value.byteOffset, value.byteLength);
  return { pack: view.getBigUint64(1), offset: view.getUint32(9), lengthBytes: view.getUint32(13) };
}

export function writePacked({ pack, offset, lengthBytes }: PackedEntry): Uint8Array {
  const value = new Uint8Array(entryBytes);
  const view = new DataView(value.buffer);
  value[0] = packedMark;
  view.setBigUint64(1, pack);
  view.setUint32(9, offset);
  view.setUint32(13, lengthBytes);
  return value;
}

/** The key of a pack. */
export function packKey(number: bigint): Uint8Array {
  const key = new Uint8Array(9);
  key[0] = kinds.pack;
  new DataView(key.buffer).setBigUint64(1, number);
  return key;
}

/** How far the packing has come. */
export interface PackingProgress {
  /** Number of the next pack. */
  readonly next: bigint;
  /** Key in the table of heights of the last block that was looked at; empty before the first. */
  readonly after: Uint8Array;
}

export const progressKey = Uint8Array.of(kinds.progress);

export function readProgress(packs: ReadableTable): PackingProgress {
  const value = packs.get(progressKey);
  if (value === undefined || value.length < 8) return { next: 0n, after: new Uint8Array(0) };
  return { next: new DataView(value.buffer, value.byteOffset).getBigUint64(0), after: value.subarray(8) };
}

export function writeProgress({ next, after }: PackingProgress): Uint8Array {
  const value = new Uint8Array(8 + after.length);
  new DataView(value.buffer).setBigUint64(0, next);
  value.set(after, 8);
  return value;
}

/** Compresses what blocks have in common; on a thread of the system's, not on this one. */
export function compressPack(content: Uint8Array): Promise<Uint8Array> {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  return new Promise((resolve, reject) => {
    brotliCompress(content, { params }, (error, compressed) => {
      if (error !== null) return reject(error);
      const value = new Uint8Array(headBytes + compressed.length);
      value[0] = brotli;
      new DataView(value.buffer).setUint32(1, content.length);
      value.set(compressed, headBytes);
      resolve(value);
    });
  });
}

/** @returns `undefined` where the bytes are not a pack, or are damaged */
export function decompressPack(value: Uint8Array): Uint8Array | undefined {
  if (value.length < headBytes || value[0] !== brotli) return undefined;
  const length = new DataView(value.buffer, value.byteOffset).getUint32(1);
  if (length > longestPackBytes) return undefined;
  try {
    const content = brotliDecompressSync(value.subarray(headBytes), { maxOutputLength: Math.max(1, length) });
    if (content.length !== length) return undefined;
    return new Uint8Array(content.buffer, content.byteOffset, content.length);
  } catch {
    return undefined;
  }
}

/** Caches the pack that was read last: a reader of one old block mostly reads the next one too. */
export class PackCache {
  #number = -1n;
  #content: Uint8Array | undefined;

  /** @throws {ChainError} `blockDamaged` where the pack is not there or is damaged */
  blockBytes(packs: ReadableTable, hash: Uint8Array, { pack, offset, lengthBytes }: PackedEntry): Uint8Array {
    if (this.#number !== pack || this.#content === undefined) {
      const value = packs.get(packKey(pack));
      this.#content = value === undefined ? undefined : decompressPack(value);
      this.#number = pack;
    }
    const end = offset + lengthBytes;
    if (this.#content === undefined || end > this.#content.length) throw new ChainError({ code: "blockDamaged", hash });
    return this.#content.slice(offset, end);
  }
}
