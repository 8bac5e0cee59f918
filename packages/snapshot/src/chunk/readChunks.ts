import type { ChunkFacts } from "../manifest/Manifest.js";
import { chunkName } from "../manifest/names.js";
import type { SnapshotStorage } from "../place/SnapshotStorage.js";
import { SnapshotError } from "../SnapshotError.js";
import { longestChunkBytes, openChunk } from "./chunkFormat.js";

/** Chunks that are fetched and opened ahead of the one that is looked at. */
const maxAhead = 3;

/** A chunk whose content is what its hash says. */
export interface OpenedChunk {
  readonly facts: ChunkFacts;
  readonly bytes: Uint8Array;
}

/**
 * Chunks in order, some of them fetched and decompressed ahead.
 *
 * @throws {SnapshotError} `chunkWrong`, `placeUnusable`
 */
export async function* readChunks(place: SnapshotStorage, chunks: readonly ChunkFacts[]): AsyncGenerator<OpenedChunk> {
  const ahead: Promise<OpenedChunk>[] = [];
  const begin = (facts: ChunkFacts) => {
    const opened = readChunk(place, facts);
    // Whoever comes to it hears of its failure.
    opened.catch(() => {});
    ahead.push(opened);
  };
  let next = 0;
  for (; next < Math.min(maxAhead, chunks.length); next += 1) begin(chunks[next]!);
  for (let one = ahead.shift(); one !== undefined; one = ahead.shift()) {
    const opened = await one;
    if (next < chunks.length) begin(chunks[next++]!);
    yield opened;
  }
}

/** What comes wrong once may have been changed on its way: it is fetched once more. */
async function readChunk(place: SnapshotStorage, facts: ChunkFacts): Promise<OpenedChunk> {
  try {
    return await fetchChunk(place, facts);
  } catch (error) {
    if (!(error instanceof SnapshotError) || error.failure.code !== "chunkWrong") throw error;
    return fetchChunk(place, facts);
  }
}

async function fetchChunk(place: SnapshotStorage, facts: ChunkFacts): Promise<OpenedChunk> {
  const { hash } = facts;
  const stored = await place.get(chunkName(hash), longestChunkBytes);
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
