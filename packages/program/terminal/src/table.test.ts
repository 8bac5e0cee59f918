import { expect, test } from "vitest";
import { plainText } from "./plainText.js";
import { tableLines } from "./table.js";
import { ageText, countText, memoryText, spanText } from "./units.js";

test("columns are as wide as their widest cell, numbers to the right, colours without width", () => {
  const rows = [
    ["a", "1"],
    ["\x1b[31mlong name\x1b[0m", "100"],
  ];
  expect(tableLines([{ title: "name" }, { title: "n", isNumber: true }], rows)).toEqual([
    "name         n",
    "a            1",
    "\x1b[31mlong name\x1b[0m  100",
  ]);
});

test("a length of time is shown in the largest unit that is not too coarse", () => {
  const spans = [0, 119_000, 120_000, 7_199_000, 7_200_000, 172_799_000, 172_800_000].map(spanText);
  expect(spans).toEqual(["0 s", "119 s", "2 min", "119 min", "2 h", "47 h", "2 d"]);
  expect(ageText(5_000, 3_000)).toBe("0 s ago");
  expect([ageText(undefined, 0), countText(undefined), memoryText(undefined)]).toEqual(["–", "–", "–"]);
  expect([countText(0n), memoryText(301 << 20)]).toEqual(["0", "301 MB"]);
});

test("texts of strangers cannot drive the terminal", () => {
  expect(plainText("a\x1b[2Jb\u009bc\nd\te")).toBe("a?[2Jb?c\nd\te");
});
