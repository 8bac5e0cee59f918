import { blake2b256, toHex } from "@vedette/crypto";
import { expect, test } from "vitest";
import { compressChunk, openChunk } from "./chunkFormat.js";

/** A chunk of zeros, which is short where it is stored. */
async function bomb(length: number) {
  const bytes = new Uint8Array(length);
  return { hash: toHex(blake2b256(bytes)), stored: await compressChunk(bytes), bytes };
}

test.each([10, 100_000])(
  "a chunk with a stated size of %i bytes and more than a chunk may have is wrong",
  async (said) => {
    const longest = 200_000;
    const { hash, stored } = await bomb(longest + 1);
    expect(stored.length).toBeLessThan(200);
    await expect(openChunk(hash, stored, said, longest)).rejects.toThrow(`Chunk ${hash} is wrong`);
    const whole = await bomb(longest);
    expect((await openChunk(whole.hash, whole.stored, said, longest)).length).toBe(longest);
  },
);
