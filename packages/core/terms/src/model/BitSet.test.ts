import { expect, test } from "vitest";
import { oneIndex } from "../f1r3node/indexBytes.js";
import { bitMembers, singleBit } from "./BitSet.js";

test("sets of one large index share their bytes", () => {
  const sets = [70_000, 8_000, 8, 9_000].map(singleBit);
  expect(sets.map(bitMembers)).toEqual([[70_000], [8_000], [8], [9_000]]);
  expect(sets[1]!.buffer).toBe(sets[0]!.buffer);
  expect(sets[3]!.buffer).toBe(sets[0]!.buffer);
  const ofBytes = [70_000, 200, 63].map(oneIndex);
  expect(ofBytes.map((bytes) => [bytes.length, bytes.lastIndexOf(1), bytes.indexOf(1)])).toEqual([
    [70_001, 70_000, 70_000],
    [201, 200, 200],
    [64, 63, 63],
  ]);
  expect(ofBytes[1]!.buffer).toBe(ofBytes[0]!.buffer);
});
