import { type TermLimits, withTermLimits } from "@vedette/terms";
import { expect, test } from "vitest";
import { doubling, outcomeOf } from "../testing/doubling.js";

/** Limits that are reached after some twelve steps; the usual ones are shown to be reached by the long tests. */
const limits: TermLimits = { maxParts: 4_000, longestText: 64 << 10, largestBytes: 256 << 10 };

test("terms that double with every step end at the limits that terms have, whatever the phlo", () => {
  const outcome = (seed: string, step: string) => withTermLimits(limits, () => outcomeOf(doubling(seed, step)));
  const tooLarge = /^A term would have \d+ bytes, more than the limit of 262144$/;
  expect(outcome('"0123456789abcdef".hexToBytes()', "x ++ x")).toMatch(tooLarge);
  expect(outcome("[1]", "[x, x]")).toMatch(tooLarge);
  expect(outcome("[Nil]", "x ++ x")).toMatch(/^A term would have more than the limit of 4000 parts side by side$/);
  expect(outcome('"12345678"', "x ++ x")).toMatch(/^A text would be longer than the limit of 65536 characters$/);
});
