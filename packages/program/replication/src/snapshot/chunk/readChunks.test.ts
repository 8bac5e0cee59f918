import { blake2b256, toHex } from "@vedette/crypto";
import { expect, test } from "vitest";
import type { ChunkFacts } from "../manifest/Manifest.js";
import { chunkName } from "../manifest/names.js";
import { MemoryPlace } from "../testing/MemoryPlace.js";
import { compressChunk } from "./chunkFormat.js";
import { readChunks } from "./readChunks.js";

/** Gives what it has at once; other files come when the call is ended. */
class StalledPlace extends MemoryPlace {
  waiting = 0;

  override async get(name: string, maxBytes: number, signal?: AbortSignal): Promise<Uint8Array | undefined> {
    const bytes = await super.get(name, maxBytes, signal);
    if (bytes !== undefined) return bytes;
    this.waiting += 1;
    await new Promise((resolve) => signal?.addEventListener("abort", resolve));
    this.waiting -= 1;
    throw signal?.reason;
  }
}

test("what is fetched ahead ends when the caller stops reading", async () => {
  const contents = [1, 2, 3].map((one) => new Uint8Array(10).fill(one));
  const chunks: ChunkFacts[] = contents.map((bytes) => ({ hash: toHex(blake2b256(bytes)), entries: 1, bytes: 10 }));
  const place = new StalledPlace();
  await place.put(chunkName(chunks[0]!.hash), await compressChunk(contents[0]!));
  for await (const { bytes } of readChunks(place, chunks)) {
    expect(bytes).toEqual(contents[0]);
    expect(place.waiting).toBe(2);
    break;
  }
  expect(place.waiting).toBe(0);
});
