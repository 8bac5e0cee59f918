import { type BlockRange, decodeBlockRangeQuestion, encodeBlockRange } from "@vedette/protocol";
import type { BlockStoreView, SyncDagView } from "../ports/ChainPort.js";
import type { Timers } from "../Timers.js";

/** Larger answers are cut at a height. @spec 40 §18 */
export const largestRangeBytes = 4 << 20;
const maxHeights = 1_024n;
const maxBlocks = 2_048;
/** The bytes that are read without a turn of the event loop. */
const readAtOnceBytes = 1 << 20;

/**
 * Answers which blocks of some heights are in the DAG.
 *
 * @returns `undefined` before there is a chain
 * @throws {WireError} for what is no question
 * @spec 40 §18
 */
export async function serveBlockRange(
  question: Uint8Array,
  { blocks, dag, timers }: { readonly blocks: BlockStoreView; readonly dag: SyncDagView; readonly timers: Timers },
): Promise<Uint8Array | undefined> {
  const { from, to, maximumBytes } = decodeBlockRangeQuestion(question);
  const height = dag.height();
  if (height < 0n) return undefined;
  const last = lowest(to, from + maxHeights - 1n, height);
  if (from < 0n || last < from) return encodeBlockRange({ blocks: [], next: lowest(from, to + 1n), height });
  const limitBytes = Math.min(Math.max(0, maximumBytes), largestRangeBytes);
  const found = new RangeReading(limitBytes);
  for (const { height: at, hash } of dag.blocksByHeight(from, last)) {
    const bytes = blocks.bytes(hash);
    if (bytes === undefined || !found.add(at, bytes)) return encodeBlockRange(found.before(at, height));
    if (found.takeBytesSinceYield() >= readAtOnceBytes) await timers.yieldNow();
  }
  return encodeBlockRange(found.before(last + 1n, height));
}

/** Blocks that are being read, height by height. */
class RangeReading {
  readonly #limitBytes: number;
  readonly #blocks: Uint8Array[] = [];
  #bytes = 0;
  #sinceYield = 0;
  #at = -1n;
  /** Blocks below the height that is being read. */
  #complete = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** @returns false where it is too much */
  add(at: bigint, bytes: Uint8Array): boolean {
    if (at !== this.#at) this.#complete = this.#blocks.length;
    this.#at = at;
    if (this.#bytes + bytes.length > this.#limitBytes || this.#blocks.length >= maxBlocks) return false;
    this.#blocks.push(bytes);
    this.#bytes += bytes.length;
    this.#sinceYield += bytes.length;
    return true;
  }

  takeBytesSinceYield(): number {
    const bytes = this.#sinceYield;
    if (bytes >= readAtOnceBytes) this.#sinceYield = 0;
    return bytes;
  }

  /** Returns the blocks below a height. */
  before(next: bigint, height: bigint): BlockRange {
    return { blocks: next > this.#at ? this.#blocks : this.#blocks.slice(0, this.#complete), next, height };
  }
}

function lowest(...numbers: readonly bigint[]): bigint {
  return numbers.reduce((left, right) => (left < right ? left : right));
}
