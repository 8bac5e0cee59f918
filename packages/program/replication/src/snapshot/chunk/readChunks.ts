import type { ChunkFacts } from "../manifest/Manifest.js";
import { chunkName } from "../manifest/names.js";
import type { SnapshotStorage } from "../place/SnapshotStorage.js";
import { SnapshotError } from "../SnapshotError.js";
import { longestChunkBytes, openChunk } from "./chunkFormat.js";

/** Chunks that are fetched and opened ahead of the one that is looked at. */
const maxAhead = 3;

/** A chunk with content that matches its hash. */
export interface OpenedChunk {
  readonly facts: ChunkFacts;
  readonly bytes: Uint8Array;
}

/**
 * Chunks in order, some of them fetched and decompressed ahead. What is fetched ahead ends when the caller stops reading.
 *
 * @throws {SnapshotError} `chunkWrong`, `placeUnusable`
 */
export async function* readChunks(place: SnapshotStorage, chunks: readonly ChunkFacts[]): AsyncGenerator<OpenedChunk> {
  const end = new AbortController();
  const ahead: Promise<OpenedChunk>[] = [];
  const begin = (facts: ChunkFacts) => {
    const opened = readChunk(place, facts, end.signal);
    // The loop below throws its failure when it comes to it.
    opened.catch(() => {});
    ahead.push(opened);
  };
  let next = 0;
  for (; next < Math.min(maxAhead, chunks.length); next += 1) begin(chunks[next]!);
  try {
    for (let one = ahead.shift(); one !== undefined; one = ahead.shift()) {
      const opened = await one;
      if (next < chunks.length) begin(chunks[next++]!);
      yield opened;
    }
  } finally {
    end.abort();
    await Promise.allSettled(ahead);
  }
}

/** A wrong chunk may have been changed on its way: it is fetched once more. */
async function readChunk(place: SnapshotStorage, facts: ChunkFacts, signal: AbortSignal): Promise<OpenedChunk> {
  try {
    return await fetchChunk(place, facts, signal);
  } catch (error) {
    if (!(error instanceof SnapshotError) || error.failure.code !== "chunkWrong") throw error;
    return fetchChunk(place, facts, signal);
  }
}

async function fetchChunk(place: SnapshotStorage, facts: ChunkFacts, signal: AbortSignal): Promise<OpenedChunk> {
  const { hash } = facts;
  const stored = await place.get(chunkName(hash), longestChunkBytes, signal);
  if (stored === undefined)
    throw new SnapshotError({ code: "chunkWrong", hash, reason: "it is not there, or too long" });
  const bytes = await openChunk(hash, stored, facts.bytes);
  if (bytes.length !== facts.bytes)
    throw new SnapshotError({
      code: "chunkWrong",
      hash,
      reason: `it has ${bytes.length} bytes, and not ${facts.bytes}`,
    });
  return { facts, bytes };
}
