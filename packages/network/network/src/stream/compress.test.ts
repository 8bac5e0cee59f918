import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NetworkError } from "../NetworkError.js";
import { compressBlock, expandBlock } from "./compress.js";

describe("compression of streams", () => {
  test("gives back what was compressed", async () => {
    const content = Uint8Array.from({ length: 600_000 }, (_, index) => (index * index) >> 7);
    const block = await compressBlock(content, false);
    expect(block.length).toBeLessThan(content.length);
    expect(Buffer.compare(await expandBlock(block, content.length, false), content)).toBe(0);
  });

  test("begins with the length in the newer dialect", async () => {
    const content = new Uint8Array(600_000).fill(7);
    const block = await compressBlock(content, true);
    expect([...block.subarray(0, 3)]).toEqual([0xc0, 0xcf, 0x24]);
    expect(Buffer.compare(await expandBlock(block, content.length, true), content)).toBe(0);
    await expect(expandBlock(block, content.length - 1, true)).rejects.toThrow("does not begin with its length");
    await expect(expandBlock(new Uint8Array(0), 0, true)).rejects.toThrow("does not begin with its length");
  });

  test("reads a raw block without frame or length: four literals", async () => {
    expect([...(await expandBlock(Uint8Array.of(0x40, 1, 2, 3, 4), 4, false))]).toEqual([1, 2, 3, 4]);
  });

  test("refuses a claim that the block cannot fulfil, without taking memory for it", async () => {
    await expect(expandBlock(Uint8Array.of(0x40, 1, 2, 3, 4), 2_000_000_000, false)).rejects.toThrow(NetworkError);
    await expect(expandBlock(Uint8Array.of(0x40, 1, 2, 3, 4), -1, false)).rejects.toThrow(NetworkError);
  });

  test("refuses a claim that is longer or shorter than the content", async () => {
    await expect(expandBlock(Uint8Array.of(0x40, 1, 2, 3, 4), 5, false)).rejects.toThrow("holds 4 bytes, not 5");
    await expect(expandBlock(Uint8Array.of(0x40, 1, 2, 3, 4), 3, false)).rejects.toThrow("damaged");
  });

  test("never fails otherwise than with a clear error on arbitrary blocks", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 80 }), fc.integer({ min: 0, max: 5000 }), async (block, claim) => {
        const outcome = await expandBlock(block, claim, false).catch((error: unknown) => error);
        expect(outcome instanceof Uint8Array ? outcome.length === claim : outcome instanceof NetworkError).toBe(true);
      }),
    );
  });
});
