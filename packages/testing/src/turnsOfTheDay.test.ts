import { afterEach, expect, test, vi } from "vitest";
import { turnsOfTheDay } from "./turnsOfTheDay.js";

const cases = ["rnode-scala", "rnode-rust", "another"];

afterEach(() => {
  vi.unstubAllEnvs();
});

test("each day has one of the cases, and days in a row have them all", () => {
  vi.stubEnv("VEDETTE_TURNS", undefined);
  const turns = [20_784, 20_785, 20_786].map((day) => {
    vi.stubEnv("VEDETTE_SEED", String(day));
    return [turnsOfTheDay(cases), turnsOfTheDay(cases, 1)];
  });
  expect(turns).toEqual([
    [["rnode-scala"], ["rnode-rust"]],
    [["rnode-rust"], ["another"]],
    [["another"], ["rnode-scala"]],
  ]);
  expect(turnsOfTheDay([])).toEqual([]);
});

test("all of them come where all are asked for", () => {
  vi.stubEnv("VEDETTE_TURNS", "all");
  expect(turnsOfTheDay(cases)).toEqual(cases);
});
