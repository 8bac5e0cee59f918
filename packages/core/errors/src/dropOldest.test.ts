import { expect, test } from "vitest";
import { dropOldest } from "./dropOldest.js";

test("the entries that were set first go, as many as there are too many", () => {
  const map = new Map([
    ["a", 1],
    ["b", 2],
    ["c", 3],
  ]);
  dropOldest(map, 3);
  expect([...map.keys()]).toEqual(["a", "b", "c"]);
  map.delete("a");
  map.set("a", 4);
  dropOldest(map, 2);
  expect([...map.keys()]).toEqual(["c", "a"]);
});

test("it works for sets, down to none", () => {
  const set = new Set([1, 2, 3]);
  dropOldest(set, 1);
  expect([...set]).toEqual([3]);
  dropOldest(set, 0);
  expect([...set]).toEqual([]);
});
