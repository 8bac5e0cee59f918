import { blake2b256, toHex } from "@vedette/crypto";
import type { ChunkFacts } from "../manifest/Manifest.js";
import { chunkName } from "../manifest/names.js";
import type { SnapshotStorage } from "../place/SnapshotStorage.js";
import {
  type ChunkEntryKind,
  chunkBytes,
  compressChunk,
  type Entry,
  entryHeadBytes,
  fullChunkBytes,
} from "./chunkFormat.js";

/** Chunks that are compressed and stored at the same time. */
const maxInFlight = 3;
/** A chunk of this size ends with the next node or block with a hash that marks an end. */
const minBytes = 2 << 20;
/** One of this many marks an end; blocks are longer. */
const endsOneOf: Partial<Record<ChunkEntryKind, number>> = { node: 1024, block: 64 };

/**
 * Puts entries into chunks, and these where snapshots lie.
 *
 * Where a chunk ends follows from the nodes and blocks in it: a state that differs in a few places has most chunks in
 * common with the one before, and what is there already is not written again.
 */
export class ChunkWriter {
  readonly #place: SnapshotStorage;
  readonly #chunks: ChunkFacts[] = [];
  readonly #underWay = new Set<Promise<void>>();
  #entries: Entry[] = [];
  #bytes = 0;
  #failure: { readonly error: unknown } | undefined;

  constructor(place: SnapshotStorage) {
    this.#place = place;
  }

  /** @param hash of a node or block @returns a promise to await before more is added */
  add(entry: Entry, hash?: Uint8Array): Promise<void> | undefined {
    const size = entryHeadBytes + entry.bytes.length;
    const isOver = this.#bytes > 0 && this.#bytes + size > fullChunkBytes;
    const before = isOver ? this.#cut() : undefined;
    this.#entries.push(entry);
    this.#bytes += size;
    if (hash === undefined || this.#bytes < minBytes) return before;
    const oneOf = endsOneOf[entry.kind];
    return oneOf !== undefined && ((hash[30]! << 8) | hash[31]!) % oneOf === 0 ? this.#cut() : before;
  }

  /** Adds entries that are useless without each other: they are in one chunk, or begin one, and end the last. */
  async addTogether(entries: readonly Entry[]): Promise<void> {
    const size = entries.reduce((sum, { bytes }) => sum + entryHeadBytes + bytes.length, 0);
    if (this.#bytes + size > fullChunkBytes) await this.break();
    for (const entry of entries) await this.add(entry);
    if (size > fullChunkBytes) await this.break();
  }

  /** Ends the chunk: the next entries are in another one. */
  break(): Promise<void> | undefined {
    return this.#entries.length === 0 ? undefined : this.#cut();
  }

  /** Ends the last chunk. @returns all of them, in order @throws {SnapshotError} `placeUnusable` */
  async end(): Promise<readonly ChunkFacts[]> {
    await this.break();
    await Promise.all(this.#underWay);
    this.#throwFailure();
    return this.#chunks;
  }

  async #cut(): Promise<void> {
    const bytes = chunkBytes(this.#entries);
    const hash = toHex(blake2b256(bytes));
    this.#chunks.push({ hash, entries: this.#entries.length, bytes: bytes.length });
    [this.#entries, this.#bytes] = [[], 0];
    const work = this.#store(hash, bytes).catch((error: unknown) => {
      this.#failure ??= { error };
    });
    this.#underWay.add(work);
    void work.then(() => this.#underWay.delete(work));
    if (this.#underWay.size >= maxInFlight) await Promise.race(this.#underWay);
    this.#throwFailure();
  }

  async #store(hash: string, bytes: Uint8Array): Promise<void> {
    const name = chunkName(hash);
    if (!(await this.#place.has(name))) await this.#place.put(name, await compressChunk(bytes));
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
