import { fromHex, toHex } from "@vedette/crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compareInHashSet } from "./hashSetOrder.js";

/** The blocks of height 3 of the recorded chain `merge`: the first is the base of all merges at height 6. */
const atHeight3 = [
  "933bada21cb2dec55a6657cd8411b33237af9f98741f513c915b434145185dce",
  "84614a21afdb1c3b27b12f6c6efdb8b05e7e6c2211ed408a6809f45dcd0d4479",
  "794a618a18c93872269067936caf07cbfcb762924a753eebc889c86e242bd01e",
];

test("the recorded choice among blocks of one height", () => {
  const sorted = [...atHeight3].sort().map(fromHex).sort(compareInHashSet);
  expect(sorted.map(toHex)).toEqual(atHeight3);
});

test("it is an order of all hashes that differ in it", () => {
  const anyHash = fc.uint8Array({ minLength: 32, maxLength: 32 });
  fc.assert(
    fc.property(anyHash, anyHash, anyHash, (a, b, c) => {
      expect(Math.sign(compareInHashSet(a, b))).toBe(-Math.sign(compareInHashSet(b, a)));
      if (compareInHashSet(a, b) <= 0 && compareInHashSet(b, c) <= 0)
        expect(compareInHashSet(a, c)).toBeLessThanOrEqual(0);
    }),
  );
});
