import { runs } from "@vedette/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { toHex } from "../bytes/hex.js";
import { PlainRandom } from "../testing/PlainRandom.js";
import { RandomError } from "./RandomError.js";
import { SplittableRandom } from "./SplittableRandom.js";

type Step =
  | { readonly kind: "next" | "copy" | "fork" | "restore" | "serialize" }
  | { readonly kind: "skip"; readonly count: number }
  | { readonly kind: "splitByte" | "splitShort"; readonly index: number }
  | { readonly kind: "merge"; readonly others: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom("next", "copy", "fork", "restore", "serialize") }),
  fc.record({ kind: fc.constant("skip" as const), count: fc.nat(9) }),
  fc.record({ kind: fc.constant("splitByte" as const), index: fc.nat(255) }),
  fc.record({ kind: fc.constant("splitShort" as const), index: fc.nat(65_535) }),
  fc.record({ kind: fc.constant("merge" as const), others: fc.integer({ min: 1, max: 9 }) }),
);

test("any sequence of operations gives what the plain form of the specification gives", () => {
  const anyRun = fc.tuple(fc.uint8Array({ maxLength: 300 }), fc.array(step, { maxLength: 160, size: "max" }));
  fc.assert(
    fc.property(anyRun, ([seed, steps]) => {
      let fast = SplittableRandom.fromSeed(seed);
      let plain = PlainRandom.fromSeed(seed);
      for (const one of steps) [fast, plain] = apply(one, fast, plain);
      expect(toHex(fast.toBytes())).toBe(toHex(plain.toBytes()));
      expect(toHex(fast.next())).toBe(toHex(plain.next()));
    }),
    { numRuns: runs(12, 60) },
  );
});

function apply(one: Step, fast: SplittableRandom, plain: PlainRandom): [SplittableRandom, PlainRandom] {
  switch (one.kind) {
    case "next":
      expect(toHex(fast.next())).toBe(toHex(plain.next()));
      return [fast, plain];
    case "skip":
      fast.skip(one.count);
      for (let i = 0; i < one.count; i += 1) plain.next();
      return [fast, plain];
    case "fork": {
      const fork = fast.fork();
      fast.next();
      return [fork, plain];
    }
    case "copy":
      return [fast.copy(), plain.copy()];
    case "restore":
      return [SplittableRandom.fromBytes(fast.toBytes()), plain];
    case "serialize":
      expect(toHex(fast.toBytes())).toBe(toHex(plain.toBytes()));
      return [fast, plain];
    case "splitByte":
      return [fast.splitByte(one.index), plain.splitByte(one.index)];
    case "splitShort":
      return [fast.splitShort(one.index), plain.splitByte(one.index & 0xff).splitByte(one.index >> 8)];
    case "merge": {
      const parts = Array.from({ length: one.others }, (_, index) => index);
      return [
        SplittableRandom.merge([fast, ...parts.map((part) => fast.splitByte(part))]),
        PlainRandom.merge([plain, ...parts.map((part) => plain.splitByte(part))]),
      ];
    }
  }
}

test("bytes that were handed out never change", () => {
  const random = SplittableRandom.fromSeed(Uint8Array.of(1));
  const before = random.toBytes();
  const text = toHex(before);
  random.next();
  const part = random.splitByte(1);
  part.next();
  SplittableRandom.merge([random, part]).next();
  expect(toHex(before)).toBe(text);
});

test("any bytes are either a state that survives or are refused", () => {
  const header = fc.uint8Array({ minLength: 98, maxLength: 98 });
  const anyState = fc.tuple(header, fc.nat(120), fc.constantFrom(0, 32, 5), fc.uint8Array({ maxLength: 150 }));
  fc.assert(
    fc.property(anyState, ([start, pathLength, position, rest]) => {
      const bytes = new Uint8Array([...start, ...rest]);
      bytes[96] = pathLength;
      bytes[97] = position;
      const isState = pathLength <= 112 && position !== 5 && rest.length === pathLength + position;
      const restore = () => SplittableRandom.fromBytes(bytes);
      if (!isState) expect(restore).toThrow("are no state of a splittable generator");
      else expect(toHex(restore().toBytes())).toBe(toHex(bytes));
    }),
  );
  expect(() => SplittableRandom.fromBytes(new Uint8Array(97))).toThrowErrorMatchingInlineSnapshot(
    `[RandomError: The 97 bytes are no state of a splittable generator]`,
  );
});

test("two serialized states merge as their generators do, whatever their paths and unused halves", () => {
  const parts = fc.array(fc.nat(255), { maxLength: 120 });
  const state = fc.tuple(fc.uint8Array({ maxLength: 40 }), parts, fc.boolean()).map(([seed, path, isDrawn]) => {
    let random = SplittableRandom.fromSeed(seed);
    for (const part of path) random = random.splitByte(part);
    if (isDrawn) random.next();
    return random.toBytes();
  });
  fc.assert(
    fc.property(state, fc.oneof(state, fc.constant(new Uint8Array(0))), (first, second) => {
      const expected = SplittableRandom.merge([SplittableRandom.fromBytes(first), SplittableRandom.fromBytes(second)]);
      expect(SplittableRandom.mergeStates(first, second).toBytes()).toEqual(expected.toBytes());
    }),
  );
  expect(() => SplittableRandom.mergeStates(new Uint8Array(98).fill(1), new Uint8Array(98))).toThrow(RandomError);
});

test("less than two generators cannot be merged", () => {
  const random = SplittableRandom.fromSeed(new Uint8Array());
  expect(() => SplittableRandom.merge([random])).toThrowErrorMatchingInlineSnapshot(
    `[RandomError: Blake2b512Random should have at least 2 inputs to merge, received 1.]`,
  );
});

test("the counter's carry runs through all its words", () => {
  const bytes = SplittableRandom.fromSeed(new Uint8Array()).toBytes().slice();
  bytes.fill(0xff, 0, 16);
  const random = SplittableRandom.fromBytes(bytes);
  random.next();
  expect(toHex(random.toBytes().subarray(0, 16))).toBe("00".repeat(16));
});
