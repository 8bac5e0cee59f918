import type { BlockMetadata } from "@vedette/chain";
import { expect, test } from "vitest";
import { PeerHeights } from "./PeerHeights.js";

const hashOf = (number: number) => Uint8Array.of(number >> 8, number & 255);

/** A DAG with the blocks up to a height; the one of height 66 is invalid. */
function dagTo(height: number) {
  const numberOf = ([high = 0, low = 0]: Uint8Array) => high * 256 + low;
  return {
    find: (hash: Uint8Array) =>
      numberOf(hash) <= height ? ({ number: BigInt(numberOf(hash)) } as BlockMetadata) : undefined,
    isInvalid: (hash: Uint8Array) => numberOf(hash) === 66,
  };
}

test("a peer is as high as the highest valid block of the DAG that it has named", () => {
  const heights = new PeerHeights();
  expect(heights.heightOf("one", dagTo(9))).toBeUndefined();
  heights.named("one", hashOf(5));
  heights.named("one", hashOf(4));
  heights.named("one", hashOf(12));
  heights.named("two", hashOf(66));
  expect(heights.heightOf("one", dagTo(9))).toBe(5n);
  // The block has arrived.
  expect(heights.heightOf("one", dagTo(12))).toBe(12n);
  expect(heights.heightOf("two", dagTo(99))).toBeUndefined();
});

test("made-up hashes push nothing out but each other, and peers that come and go do not pile up", () => {
  const heights = new PeerHeights();
  heights.named("one", hashOf(7));
  expect(heights.heightOf("one", dagTo(9))).toBe(7n);
  for (let made = 0; made < 1_000; made += 1) heights.named("one", hashOf(1_000 + made));
  let asked = 0;
  const dag = {
    ...dagTo(9),
    find: (hash: Uint8Array) => {
      asked += 1;
      return dagTo(9).find(hash);
    },
  };
  expect(heights.heightOf("one", dag)).toBe(7n);
  expect(asked).toBeLessThanOrEqual(8);
  for (let peer = 0; peer < 2_000; peer += 1) heights.named(`peer ${peer}`, hashOf(3));
  expect(heights.heightOf("one", dagTo(9))).toBeUndefined();
  expect(heights.heightOf("peer 1999", dagTo(9))).toBe(3n);
});
