import { expect, test } from "vitest";
import { barText, progressText } from "./progress.js";

test("a bar is as full as the work is done, whatever the numbers", () => {
  expect([0, 0.5, 1].map((share) => barText(share, 4))).toEqual(["░░░░", "██░░", "████"]);
  expect([-1, 7, Number.NaN].map((share) => barText(share, 4))).toEqual(["░░░░", "████", "░░░░"]);
});

test("a progress line shows speed and time left where they are known", () => {
  const work = { done: 999, total: 1_000, perSecond: 130.4, unit: "blocks", secondsLeft: 300 };
  expect(progressText(work)).toBe("███████████████████████░ 99 %, 130 blocks/s, 5 min left");
  expect(progressText({ ...work, secondsLeft: undefined, perSecond: 0.04 })).toBe(
    "███████████████████████░ 99 %, 0.0 blocks/s",
  );
  expect(progressText({ ...work, total: undefined, unit: "items" })).toBe("999 items, 130 items/s, 5 min left");
});
