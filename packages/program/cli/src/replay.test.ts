import { expect, test } from "vitest";
import { summaryText } from "./replay.js";

const whole = {
  blocks: 40,
  deploys: 8,
  events: 90,
  skipped: 10,
  detached: 0,
  trusted: 0,
  differences: [],
  totalBlocks: 50,
  interrupted: false,
};
const measured = { seconds: 2, peakBytes: 3e8 };

test("a whole replay reports that every block agrees", () => {
  expect(summaryText(whole, measured).split("\n").at(-1)).toBe("every block agrees with the recording");
});

test("an interrupted replay reports how far it came and only about replayed blocks", () => {
  const lines = summaryText({ ...whole, totalBlocks: 300, interrupted: true }, measured).split("\n");
  expect(lines.slice(-2)).toEqual([
    "interrupted after 50 of 300 blocks of the recording",
    "every replayed block agrees with the recording",
  ]);
});
