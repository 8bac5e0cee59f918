import { blake2b256 } from "@vedette/crypto";
import { MemoryStore, tablesOf } from "@vedette/store";
import { expect, test } from "vitest";
import { replaceFloors, StoredFloorCache } from "./StoredFloorCache.js";

const hashOf = (number: number) => blake2b256(Uint8Array.of(number, number >> 8));
const floorOf = (number: number) => ({ floor: hashOf(number + 1000), frontier: hashOf(number + 2000) });

test("floors are there again after a restart, except the last ones, which are derived again", () => {
  const store = new MemoryStore(tablesOf("chain"));
  const cache = new StoredFloorCache(store);
  for (let number = 0; number < 100; number++) cache.put(hashOf(number), floorOf(number));
  for (let number = 0; number < 100; number++) expect(cache.find(hashOf(number))).toEqual(floorOf(number));
  const after = new StoredFloorCache(store);
  expect(after.find(hashOf(63))).toEqual(floorOf(63));
  expect(after.find(hashOf(64))).toBeUndefined();
  cache.flush();
  expect(new StoredFloorCache(store).find(hashOf(99))).toEqual(floorOf(99));
});

test("genesis has no frontier", () => {
  const store = new MemoryStore(tablesOf("chain"));
  const cache = new StoredFloorCache(store);
  cache.put(hashOf(1), { floor: hashOf(1), frontier: undefined });
  cache.flush();
  expect(new StoredFloorCache(store).find(hashOf(1))).toEqual({ floor: hashOf(1), frontier: undefined });
});

test("a beginning at a state throws away what was kept before", () => {
  const store = new MemoryStore(tablesOf("chain"));
  const cache = new StoredFloorCache(store);
  cache.put(hashOf(1), floorOf(1));
  cache.flush();
  cache.put(hashOf(2), floorOf(2));
  store.write((tables) => replaceFloors(tables, [{ hash: hashOf(3), ...floorOf(3) }]));
  cache.reload();
  expect([1, 2, 3].map((number) => cache.find(hashOf(number)))).toEqual([undefined, undefined, floorOf(3)]);
});

test("what is no floor in the store is none, and neither is one of what is no hash", () => {
  const store = new MemoryStore(tablesOf("chain"));
  store.write((tables) => tables("floors").put(hashOf(1), Uint8Array.of(1, 2, 3)));
  const cache = new StoredFloorCache(store);
  expect(cache.find(hashOf(1))).toBeUndefined();
  expect(cache.find(new Uint8Array(0))).toBeUndefined();
});
