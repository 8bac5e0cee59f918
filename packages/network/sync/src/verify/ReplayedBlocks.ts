import { blake2b256, equalBytes } from "@vedette/crypto";
import type { Store } from "@vedette/store";

/** Blocks are written in groups of this size. */
const blocksOfWrite = 16;

/**
 * Remembers blocks that were replayed out of turn: by a block's bytes, the pre-state from which they led to their
 * stated post-state and bonds. It holds no verdicts: validation looks blocks up with the state that the parent really
 * left.
 *
 * @spec 40 §20.1
 */
export class ReplayedBlocks {
  readonly #store: Store;
  /** Not yet written, by the key's text. */
  readonly #unwritten = new Map<string, { readonly key: Uint8Array; readonly preState: Uint8Array }>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Whether a block was replayed from a state. @param bytes as an encoder writes them */
  has(bytes: Uint8Array, preState: Uint8Array): boolean {
    const key = blake2b256(bytes);
    const known = this.#unwritten.get(textOf(key))?.preState ?? this.#store.table("replayedBlocks").get(key);
    return known !== undefined && equalBytes(known, preState);
  }

  /** Height from which on a segment goes on. @param from its first height */
  nextOf(from: bigint): bigint {
    const bytes = this.#store.table("replayedBlocks").get(segmentKey(from));
    return bytes === undefined ? from : new DataView(bytes.buffer, bytes.byteOffset).getBigInt64(0);
  }

  /** Records that a block leads to the state that it contains. */
  add(bytes: Uint8Array, preState: Uint8Array): void {
    const key = blake2b256(bytes);
    this.#unwritten.set(textOf(key), { key, preState });
    if (this.#unwritten.size >= blocksOfWrite) this.#write();
  }

  /** All blocks of a segment below a height are done. */
  reached(from: bigint, next: bigint): void {
    this.#write({ from, next });
  }

  #write(segment?: { readonly from: bigint; readonly next: bigint }): void {
    this.#store.write((tables) => {
      const table = tables("replayedBlocks");
      for (const { key, preState } of this.#unwritten.values()) table.put(key, preState);
      if (segment !== undefined) table.put(segmentKey(segment.from), bytesOf(segment.next));
    });
    this.#unwritten.clear();
  }
}

function textOf(key: Uint8Array): string {
  return Buffer.from(key).toString("latin1");
}

function segmentKey(from: bigint): Uint8Array {
  return bytesOf(from);
}

function bytesOf(height: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigInt64(0, height);
  return bytes;
}
