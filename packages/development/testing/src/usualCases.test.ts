import { afterEach, expect, test, vi } from "vitest";
import { runs, usualCases } from "./usualCases.js";

const cases = ["rnode", "f1r3node"];

afterEach(() => {
  vi.unstubAllEnvs();
});

test("the last of several cases is tried, whatever day it is", () => {
  vi.stubEnv("VEDETTE_TEST_CASES", undefined);
  expect(usualCases(cases)).toEqual(["f1r3node"]);
  expect(usualCases([])).toEqual([]);
  expect(usualCases([0, 1, 2, 3, 4, 5, 6], 3)).toEqual([2, 4, 6]);
  expect(usualCases(cases, 3)).toEqual(cases);
});

test("all of them are tried if all are requested", () => {
  vi.stubEnv("VEDETTE_TEST_CASES", "all");
  expect(usualCases(cases)).toEqual(cases);
});

test("a property is tried often if all cases are requested", () => {
  vi.stubEnv("VEDETTE_TEST_CASES", undefined);
  expect(runs(20, 2_000)).toBe(20);
  vi.stubEnv("VEDETTE_TEST_CASES", "all");
  expect(runs(20, 2_000)).toBe(2_000);
});
