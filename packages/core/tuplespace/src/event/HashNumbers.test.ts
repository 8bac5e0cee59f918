import { runs } from "@vedette/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { HashNumbers } from "./HashNumbers.js";

const anyHash = fc.oneof(
  { weight: 5, arbitrary: fc.uint8Array({ minLength: 32, maxLength: 32 }) },
  // They begin alike.
  {
    weight: 5,
    arbitrary: fc.tuple(fc.nat({ max: 255 }), fc.nat({ max: 1 })).map(([last, first]) => hash(first, last)),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 34 }) },
);

function hash(first: number, last: number): Uint8Array {
  const bytes = new Uint8Array(32);
  bytes[0] = first;
  bytes[31] = last;
  bytes[30] = last >> 8;
  return bytes;
}

test("hashes have the numbers that a map of their texts gives them", () => {
  fc.assert(
    fc.property(fc.array(anyHash, { maxLength: 300 }), fc.nat({ max: 50 }), (hashes, expected) => {
      const numbers = new HashNumbers(expected);
      const known = new Map<string, number>();
      for (const one of hashes) {
        const text = one.join();
        expect(numbers.find(one)).toBe(known.get(text) ?? -1);
        if (!known.has(text)) known.set(text, known.size);
        expect(numbers.add(one)).toBe(known.get(text));
      }
      for (const one of hashes) expect(numbers.find(Uint8Array.from(one))).toBe(known.get(one.join()));
    }),
    { numRuns: runs(100, 1000) },
  );
});

test("hashes that an attacker made alike are found as fast as others", () => {
  const numbers = new HashNumbers(0);
  const count = 20_000;
  for (let at = 0; at < count; at += 1) numbers.add(hash(0, at));
  let reads = 0;
  const looked = new Proxy(numbers.hashes, {
    get: (target, name) => {
      reads += 1;
      return Reflect.get(target, name);
    },
  });
  Object.defineProperty(numbers, "hashes", { value: looked });
  for (let at = 0; at < count; at += 1) expect(numbers.find(hash(0, at))).toBe(at);
  expect(reads).toBeLessThan(10 * count);
});
