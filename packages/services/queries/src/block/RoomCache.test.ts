import { expect, test } from "vitest";
import { RoomCache } from "./RoomCache.js";

function kept(cache: RoomCache<string>, ...keys: readonly string[]): string[] {
  return keys.filter((key) => cache.get(key) !== undefined);
}

test("what was used least recently goes first, by size and by number", () => {
  const cache = new RoomCache<string>({ units: 10, entries: 3 });
  for (const key of ["a", "b", "c"]) cache.set(key, key, 2);
  cache.get("a");
  cache.set("d", "d", 2);
  expect(kept(cache, "a", "b", "c", "d")).toEqual(["a", "c", "d"]);
  cache.set("e", "e", 8);
  expect(kept(cache, "a", "c", "d", "e")).toEqual(["d", "e"]);
});

test("what is larger than the room is not kept, and takes nothing from the others", () => {
  const cache = new RoomCache<string>({ units: 10 });
  cache.set("a", "a", 10);
  cache.set("b", "b", 11);
  expect(kept(cache, "a", "b")).toEqual(["a"]);
  cache.set("a", "larger", 11);
  expect(kept(cache, "a")).toEqual([]);
});

test("a value that is set again takes its room once", () => {
  const cache = new RoomCache<string>({ units: 10 });
  cache.set("a", "a", 6);
  cache.set("a", "again", 6);
  cache.set("b", "b", 4);
  expect([cache.get("a"), cache.get("b")]).toEqual(["again", "b"]);
});
