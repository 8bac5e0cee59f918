import { afterEach, expect, test, vi } from "vitest";
import { usualCases } from "./usualCases.js";

const cases = ["rnode-scala", "rnode-rust"];

afterEach(() => {
  vi.unstubAllEnvs();
});

test("the last of several cases is tried, whatever day it is", () => {
  vi.stubEnv("VEDETTE_TEST_CASES", undefined);
  expect(usualCases(cases)).toEqual(["rnode-rust"]);
  expect(usualCases([])).toEqual([]);
});

test("all of them are tried where all are asked for", () => {
  vi.stubEnv("VEDETTE_TEST_CASES", "all");
  expect(usualCases(cases)).toEqual(cases);
});
