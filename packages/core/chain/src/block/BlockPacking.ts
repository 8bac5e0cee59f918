import { emptyBytes } from "@vedette/crypto";
import { BatchingStore, type Store } from "@vedette/store";
import { numberKey } from "../dag/tableKeys.js";
import { readEntry } from "./BlockChunks.js";
import {
  compressPack,
  longestPackBytes,
  packKey,
  progressKey,
  readPacked,
  readProgress,
  writePacked,
  writeProgress,
} from "./packedBlocks.js";

/** Blocks of a pack: to read one of them, all are decompressed. */
const maxBlocks = 32;
/** Size at which a pack is full; the block that fills it may be longer. */
const fullBytes = 256 << 10;
/** Heights below the last final block at which only requests for old blocks read blocks. */
const keptBelowFinal = 128n;
/** As {@link keptBelowFinal}, while blocks are held in memory: what is packed there is written once. */
const keptWhileHeld = 16n;

interface Candidate {
  readonly hash: Uint8Array;
  readonly bytes: Uint8Array;
}

interface Candidates {
  readonly blocks: readonly Candidate[];
  /** The last key that was looked at. */
  readonly after: Uint8Array;
  readonly isFull: boolean;
}

/**
 * Packs old blocks together, some dozens at a time, and compresses them: neighbours have much content in common, so a
 * pack takes half of what its blocks take one by one.
 *
 * Each pack is one transaction, which puts the pack's number in the place of the blocks' bytes; a kill loses none.
 * Blocks that are stored in parts, invalid ones, and those that come later than their neighbours stay as they are.
 *
 * @spec 40 §6.1
 */
export class BlockPacking {
  readonly #store: Store;
  readonly #finalHeight: () => bigint | undefined;

  /**
   * @param store       has the tables of the chain environment
   * @param finalHeight of the last final block
   */
  constructor(store: Store, finalHeight: () => bigint | undefined) {
    this.#store = store;
    this.#finalHeight = finalHeight;
  }

  /**
   * Packs the next blocks that are old enough: 128 heights below the last final one, or 16 while the store holds what
   * is written.
   *
   * @param mayBeShort also where they do not fill a pack
   * @returns how many; none where there is nothing to do for now
   * @throws {StoreError}
   */
  async step(mayBeShort = false): Promise<number> {
    const before = readProgress(this.#store.table("packedBlocks"));
    const { blocks, after, isFull } = this.#candidates(before.after);
    if (after === before.after || (!isFull && !mayBeShort)) return 0;
    const content = joined(blocks);
    const pack = blocks.length === 0 ? undefined : await compressPack(content);
    this.#store.write((tables) => {
      const packs = tables("packedBlocks");
      packs.put(progressKey, writeProgress({ next: before.next + (pack === undefined ? 0n : 1n), after }));
      if (pack === undefined) return;
      packs.put(packKey(before.next), pack);
      const table = tables("blocks");
      let offset = 0;
      for (const { hash, bytes } of blocks) {
        const stored = table.get(hash);
        // Another copy may have come meanwhile.
        if (stored !== undefined && Buffer.compare(stored, bytes) === 0)
          table.put(hash, writePacked({ pack: before.next, offset, lengthBytes: bytes.length }));
        offset += bytes.length;
      }
    });
    return Math.max(1, blocks.length);
  }

  #candidates(from: Uint8Array): Candidates {
    const final = this.#finalHeight();
    const blocks: Candidate[] = [];
    let [after, sizeBytes, looked] = [from, 0, 0];
    const isHeld = this.#store instanceof BatchingStore && this.#store.isHolding;
    const kept = isHeld ? keptWhileHeld : keptBelowFinal;
    if (final === undefined || final < kept) return { blocks, after, isFull: false };
    const range = { from: afterKey(from), to: numberKey(final - kept) };
    for (const [key] of this.#store.table("blocksByHeight").range(range)) {
      const hash = key.subarray(8);
      const bytes = this.#store.table("blocks").get(hash);
      looked += 1;
      if (bytes !== undefined && isWhole(bytes)) {
        if (sizeBytes + bytes.length > longestPackBytes) return { blocks, after, isFull: true };
        blocks.push({ hash, bytes });
        sizeBytes += bytes.length;
      }
      after = key;
      if (looked === maxBlocks || sizeBytes >= fullBytes) return { blocks, after, isFull: true };
    }
    return { blocks, after, isFull: false };
  }
}

function isWhole(bytes: Uint8Array): boolean {
  return bytes.length <= longestPackBytes && readEntry(bytes) === undefined && readPacked(bytes) === undefined;
}

/** The lowest key that is greater. */
function afterKey(key: Uint8Array): Uint8Array {
  if (key.length === 0) return emptyBytes;
  const after = new Uint8Array(key.length + 1);
  after.set(key);
  return after;
}

function joined(blocks: readonly Candidate[]): Uint8Array {
  const content = new Uint8Array(blocks.reduce((sum, { bytes }) => sum + bytes.length, 0));
  let offset = 0;
  for (const { bytes } of blocks) {
    content.set(bytes, offset);
    offset += bytes.length;
  }
  return content;
}
