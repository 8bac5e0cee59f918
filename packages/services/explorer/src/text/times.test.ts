import { expect, test } from "vitest";
import { printAgo, printMoment } from "./times.js";

test("times are shown in the largest unit that fits", () => {
  const now = 1_800_000_000_000;
  expect([100, 4_200, 90_000, 7_200_000, 172_800_000].map((passed) => printAgo(now - passed, now))).toEqual([
    "now",
    "4 sec. ago",
    "1 min. ago",
    "2 hr. ago",
    "2 days ago",
  ]);
});

test("a time that no date can have is a number", () => {
  expect(printMoment(2 ** 62)).toBe("4611686018427388000 ms");
  expect(printMoment(0)).toMatch(/19(69|70)/);
});
