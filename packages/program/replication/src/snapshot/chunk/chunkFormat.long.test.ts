// Covers: chain, crypto, errors, execution, network, protocol, replication/snapshot, rholang, store, sync, terms, tuplespace
import { blake2b256, toHex } from "@vedette/crypto";
import { expect, test } from "vitest";
import { compressChunk, longestChunkBytes, openChunk } from "./chunkFormat.js";

test("a chunk that is longer than any may be is wrong", async () => {
  const bytes = new Uint8Array(longestChunkBytes + 1);
  const [hash, stored] = [toHex(blake2b256(bytes)), await compressChunk(bytes)];
  for (const said of [10, bytes.length])
    await expect(openChunk(hash, stored, said)).rejects.toThrow(`Chunk ${hash} is wrong`);
});
