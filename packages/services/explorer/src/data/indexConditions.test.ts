import { expect, test } from "vitest";
import { betweenDays, fileTime, isDay, readAllRows } from "./indexConditions.js";

test("days are the reader's, both included", () => {
  const march = betweenDays({ since: "2026-03-01", until: "2026-03-31" });
  expect(march).toEqual([
    { timestamp: { _gte: String(new Date(2026, 2, 1).getTime()) } },
    { timestamp: { _lt: String(new Date(2026, 3, 1).getTime()) } },
  ]);
  expect(betweenDays({})).toEqual([]);
  expect(["2026-03-01", "2026-13-01", "march", 5, undefined].map(isDay)).toEqual([true, false, false, false, false]);
});

test("all rows of a list are read page after page, up to a bound", async () => {
  const read = async ({ skip, limit }: { skip: number; limit: number }) =>
    Array.from({ length: Math.min(limit, 2_500 - skip) }, (_, index) => skip + index);
  expect(await readAllRows(read)).toHaveLength(2_500);
  expect(await readAllRows(read, 2_000)).toHaveLength(2_000);
});

test("a time that no date has is written to a file unchanged", () => {
  expect(fileTime("0")).toBe("1970-01-01T00:00:00.000Z");
  expect(fileTime("9223372036854775807")).toBe("9223372036854775807");
});
