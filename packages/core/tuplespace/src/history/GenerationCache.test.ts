import { blake2b256 } from "@vedette/crypto";
import { expect, test } from "vitest";
import { GenerationCache } from "./GenerationCache.js";

const entry = (seed: number, memoryBytes = 10) => ({ hash: blake2b256(Uint8Array.of(seed, seed >> 8)), memoryBytes });

test("a cache stays within its budget and keeps what is used", () => {
  const cache = new GenerationCache(200);
  const used = entry(0);
  cache.add(used);
  for (let i = 1; i < 1000; i += 1) {
    cache.add(entry(i));
    expect(cache.get(used.hash)).toBe(used);
    expect(cache.memoryBytes).toBeLessThanOrEqual(220);
  }
  expect(cache.get(entry(1).hash)).toBeUndefined();
});

test("an entry that is added again counts once", () => {
  const cache = new GenerationCache(1000);
  for (let i = 0; i < 500; i += 1) cache.add(entry(i % 20));
  expect(cache.memoryBytes).toBe(200);
});

test("an entry with the same beginning of its hash is not taken for another", () => {
  const cache = new GenerationCache(1000);
  const one = entry(1);
  const other = one.hash.slice();
  other[31] = other[31]! ^ 1;
  cache.add(one);
  expect(cache.get(other)).toBeUndefined();
});

test("what is not used in a whole generation is dropped when that ends, however much room there is", () => {
  const cache = new GenerationCache(10_000);
  const [used, unused] = [entry(1), entry(2)];
  for (const one of [used, unused]) cache.add(one);
  cache.age();
  expect(cache.get(used.hash)).toBe(used);
  cache.age();
  expect([cache.get(used.hash), cache.get(unused.hash)]).toEqual([used, undefined]);
  expect(cache.memoryBytes).toBe(10);
});
