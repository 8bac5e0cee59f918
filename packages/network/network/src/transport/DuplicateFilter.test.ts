import { expect, test } from "vitest";
import { DuplicateFilter } from "./DuplicateFilter.js";

test("announcements are recognised as repeats, other packets never, and only for some seconds", () => {
  let now = 0;
  const filter = new DuplicateFilter(() => now);
  const message = Uint8Array.of(1, 2, 3);
  expect(filter.isRepeat("HasBlock", message)).toBe(false);
  expect(filter.isRepeat("HasBlock", message)).toBe(true);
  expect(filter.isRepeat("BlockRequest", message)).toBe(false);
  expect(filter.isRepeat("BlockRequest", message)).toBe(false);
  now = 10_000;
  expect(filter.isRepeat("HasBlock", message)).toBe(false);
});

test("what was seen longest ago is forgotten first", () => {
  const filter = new DuplicateFilter(() => 0);
  const message = (index: number) => Uint8Array.of(index >> 8, index);
  for (let index = 0; index <= 8192; index++) expect(filter.isRepeat("HasBlock", message(index))).toBe(false);
  expect(filter.isRepeat("HasBlock", message(8192))).toBe(true);
  expect(filter.isRepeat("HasBlock", message(1))).toBe(true);
  expect(filter.isRepeat("HasBlock", message(0))).toBe(false);
});

test("nothing is remembered for longer than it counts", () => {
  let now = 0;
  const filter = new DuplicateFilter(() => now);
  for (let index = 0; index < 3_000; index += 1) {
    now = index * 100;
    filter.isRepeat("HasBlock", Uint8Array.of(index >> 8, index));
  }
  expect(filter.size).toBe(100);
});
