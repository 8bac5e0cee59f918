import { afterEach, expect, test, vi } from "vitest";
import { patienceMs, slowness } from "./patience.js";
import { until } from "./until.js";

afterEach(() => {
  vi.restoreAllMocks();
});

test("a condition that holds after some looks gives its value", async () => {
  let looks = 0;
  expect(await until("the third look", () => (++looks === 3 ? "found" : undefined), { everyMs: 0 })).toBe("found");
  expect(looks).toBe(3);
});

test("zero and an empty text are values like others", async () => {
  expect(await until("a number", () => 0)).toBe(0);
  expect(await until("a text", async () => "")).toBe("");
});

test("what a look throws ends the wait", async () => {
  const look = () => {
    throw new TypeError("gone");
  };
  await expect(until("nothing", look)).rejects.toThrow("gone");
});

test("a condition that never holds ends with its name and with what was there instead", async () => {
  const clock = vi.spyOn(performance, "now");
  let nowMs = 0;
  clock.mockImplementation(() => nowMs);
  const look = () => {
    // More than the greatest patience.
    nowMs += 3_700_000;
    return false as const;
  };
  const state = () => "2 of 3 blocks are there";
  await expect(until("the third block", look, { everyMs: 0, state })).rejects.toThrow(
    /^waited \d+ s for the third block; 2 of 3 blocks are there$/,
  );
});

test("a slow machine has more patience", () => {
  expect(slowness()).toBeGreaterThanOrEqual(1);
  expect(patienceMs()).toBeGreaterThanOrEqual(180_000);
  // A computation that takes a hundred times as long as on a quiet machine.
  let nowMs = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 1_000));
  expect(slowness()).toBe(20);
  expect(patienceMs()).toBe(3_600_000);
});
