import { expect, test } from "vitest";
import { sampledRatio } from "./sampledRatio.js";

test("a few measurements have a median and no known error", () => {
  expect(sampledRatio([1.3, 0.9, 1])).toEqual({ median: 1, error: Number.POSITIVE_INFINITY, count: 3 });
});

test("one measurement that was disturbed does not count more than another", () => {
  const quiet = sampledRatio([0.97, 0.98, 0.99, 1, 1.01]);
  const disturbed = sampledRatio([0.97, 0.98, 0.99, 1, 3]);
  expect(disturbed).toEqual(quiet);
  expect(quiet.median).toBe(0.99);
  expect(quiet.error).toBeCloseTo(0.0166, 3);
});

test("more measurements make the error smaller", () => {
  const few = [0.9, 1, 1, 1.1, 1.2];
  expect(sampledRatio([...few, ...few, ...few, ...few]).error).toBeCloseTo(sampledRatio(few).error / 2, 6);
});
