import { expect, test } from "vitest";
import { placeAfter, startAfter } from "./useIndexList.js";

const rows = (...numbers: number[]) => numbers.map((number) => ({ block_number: String(number) }));
const head = { from: undefined, skip: 0 };

test("a list goes on at the height where it ended, after what it has of it", () => {
  expect(placeAfter([], head)).toEqual(head);
  expect(placeAfter(rows(9, 8, 7), head)).toEqual({ from: 7, skip: 1 });
  expect(placeAfter(rows(9, 7, 7, 7), head)).toEqual({ from: 7, skip: 3 });
  expect(placeAfter(rows(7, 7, 7), { from: 7, skip: 50 })).toEqual({ from: 7, skip: 53 });
});

test("the address of the next page goes on within a height that has more rows than a page", () => {
  const full = rows(...Array.from({ length: 100 }, () => 7));
  expect(startAfter(rows(9, 8), {}, true)).toEqual({ from: 8 });
  expect(startAfter(full, {}, true)).toEqual({ from: 7, page: 2 });
  expect(startAfter(full, { from: 7, page: 2 }, true)).toEqual({ from: 7, page: 4 });
  // An order without heights counts pages.
  expect(startAfter(full, { page: 1 }, false)).toEqual({ page: 3 });
  expect(startAfter(full, { from: 9 }, false)).toEqual({ from: 9, page: 2 });
});
