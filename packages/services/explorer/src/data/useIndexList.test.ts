import { expect, test } from "vitest";
import { placeAfter } from "./useIndexList.js";

const rows = (...numbers: number[]) => numbers.map((number) => ({ block_number: String(number) }));

test("a list goes on at the height where it ended, after what it has of it", () => {
  expect(placeAfter([])).toEqual({ from: undefined, skip: 0 });
  expect(placeAfter(rows(9, 8, 7))).toEqual({ from: 7, skip: 1 });
  expect(placeAfter(rows(9, 7, 7, 7))).toEqual({ from: 7, skip: 3 });
});
