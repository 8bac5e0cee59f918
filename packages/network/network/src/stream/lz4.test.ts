import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NetworkError } from "../NetworkError.js";
import { compressLz4, expandLz4 } from "./lz4.js";

const text = "the last finalized block is the last block that is final; abcabcabcabcabcabcabcabc the end";
/** The same text by another encoder (lz4_flex). */
const foreignBlock =
  "f50d746865206c6173742066696e616c697a656420626c6f636b206973201c0002120040746861741700012a005f3b20616263030002802074686520656e64";

/** Random pieces, some of them many times, so that there are short and long literals and matches. */
const repetitive = fc
  .array(
    fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 400 }), fc.integer({ min: 1, max: 40 })).map(([piece, times]) => {
      return Buffer.concat(Array.from({ length: times }, () => piece));
    }),
    { maxLength: 30 },
  )
  .map((pieces) => new Uint8Array(Buffer.concat(pieces)));

describe("LZ4 blocks", () => {
  test("hold what was compressed, and are shorter where it repeats itself", async () => {
    await fc.assert(
      fc.asyncProperty(repetitive, async (content) => {
        const block = await compressLz4(content);
        expect(Buffer.compare(await expandLz4(block, content.length), content)).toBe(0);
        expect(block.length).toBeLessThanOrEqual(content.length + content.length / 255 + 16);
      }),
    );
    expect((await compressLz4(new Uint8Array(1_000_000))).length).toBeLessThan(4_000);
  });

  test("of another encoder are read", async () => {
    const expanded = await expandLz4(new Uint8Array(Buffer.from(foreignBlock, "hex")), text.length);
    expect(Buffer.from(expanded).toString()).toBe(text);
  });

  test("end with five literals, and with twelve bytes in which no match begins, as other decoders want it", async () => {
    for (let length = 0; length < 40; length += 1) {
      const block = await compressLz4(new Uint8Array(length));
      const literals = lastLiterals(block);
      expect(literals).toBeGreaterThanOrEqual(Math.min(length, 5));
      if (length < 13) expect(literals).toBe(length);
    }
  });

  test("with a match before the beginning, a length beyond the claim, or no end are refused", async () => {
    const bad = [
      [0x10, 1, 0, 0, 0x10, 1],
      [0x10, 1, 2, 0, 0x10, 1],
      [0x1f, 1, 1, 0, 255, 255, 255, 0, 0x10, 1],
      [0x1f, 1, 1, 0, 255],
      [0xf0, 255, 255],
      [0x20, 1],
      [],
    ];
    for (const bytes of bad) await expect(expandLz4(Uint8Array.from(bytes), 100)).rejects.toThrow(NetworkError);
  });

  test("of many megabytes let the event loop go on while they are read and written", async () => {
    const content = Uint8Array.from({ length: 4 << 20 }, (_, index) => (index * index) >> 11);
    let turns = 0;
    const count = () => {
      turns += 1;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    const block = await compressLz4(content);
    expect(turns).toBeGreaterThan(4);
    turns = 0;
    expect(Buffer.compare(await expandLz4(block, content.length), content)).toBe(0);
    expect(turns).toBeGreaterThan(4);
    clearImmediate(timer);
  });
});

/** The length of the literals of the last sequence. */
function lastLiterals(block: Uint8Array): number {
  let at = 0;
  const lengthOf = (nibble: number) => {
    let length = nibble;
    if (nibble === 15)
      for (let byte = 255; byte === 255; length += byte) {
        byte = block[at]!;
        at += 1;
      }
    return length;
  };
  for (;;) {
    const token = block[at]!;
    at += 1;
    const literals = lengthOf(token >> 4);
    at += literals;
    if (at === block.length) return literals;
    at += 2;
    lengthOf(token & 15);
  }
}
