import { expect, test } from "vitest";
import { heightsWithoutBlock, timesOf } from "./readValidators.js";

test("heights without a block count while there was a stake", () => {
  const bonded = { first_seen_block: "0", last_seen_block: "90" };
  expect(heightsWithoutBlock(bonded, { low: 1, high: 50 }, 20)).toBe(30);
  expect(heightsWithoutBlock({ ...bonded, first_seen_block: "40" }, { low: 1, high: 50 }, 4)).toBe(6);
  expect(heightsWithoutBlock({ ...bonded, last_seen_block: "30" }, { low: 21, high: 50 }, 10)).toBe(0);
  expect(heightsWithoutBlock({ ...bonded, first_seen_block: "60" }, { low: 1, high: 50 }, 0)).toBe(0);
});

test("yesterday is the reader's day, and ends where today begins", () => {
  const now = new Date(2026, 2, 1, 10, 30);
  const { from, to } = timesOf("yesterday", now);
  expect([new Date(from).getDate(), new Date(to).getDate(), new Date(to).getHours()]).toEqual([28, 1, 0]);
  expect(timesOf("week", now).to).toBeGreaterThan(now.getTime());
});
