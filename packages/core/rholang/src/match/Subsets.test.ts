import fc from "fast-check";
import { expect, test } from "vitest";
import { Subsets } from "./Subsets.js";

function choices(size: number, low: number, high: number): string[] {
  const subsets = new Subsets(size, low, high);
  const found: string[] = [];
  for (let more = subsets.first(); more; more = subsets.next())
    found.push([..."abcdefgh"].filter((_, i) => subsets.chosen[i] === 1).join("") || "-");
  return found;
}

test.each([
  ["ab", 0, 2, "-, a, b, ab"],
  ["abc", 0, 3, "-, a, b, ab, c, ac, bc, abc"],
  ["abc", 0, 2, "-, a, b, ab, c, ac, bc"],
  ["abc", 0, 1, "-, a, b, c"],
  ["abc", 1, 3, "a, b, ab, c, ac, bc, abc"],
  ["abc", 1, 2, "a, b, ab, c, ac, bc"],
  ["abc", 1, 1, "a, b, c"],
  ["abc", 2, 2, "ab, ac, bc"],
  ["abc", 2, 3, "ab, ac, bc, abc"],
  ["abc", 3, 3, "abc"],
  ["abcd", 2, 3, "ab, ac, bc, abc, ad, bd, abd, cd, acd, bcd"],
  ["abcd", 1, 2, "a, b, ab, c, ac, bc, d, ad, bd, cd"],
] as const)("of %s, %i to %i at a time come in the order of 22 §8.3", (all, low, high, expected) => {
  expect(choices(all.length, low, high).join(", ")).toBe(expected);
});

/** The choices of the recursive definition of 22 §1.5: chosen elements and their number. */
type Choice = readonly [readonly number[], number];

function counted(list: readonly number[], high: number): Choice[] {
  const [head, ...tail] = list;
  const found: Choice[] = [[[], 0]];
  if (head === undefined) return found;
  for (const [chosen, count] of counted(tail, high)) {
    if (count === high) found.push([chosen, count]);
    else if (chosen.length === 0) found.push([[head], 1]);
    else found.push([chosen, count], [[head, ...chosen], count + 1]);
  }
  return found;
}

function worked(list: readonly number[], low: number, high: number): Choice[] {
  if (high < 0 || low > high) return [];
  if (low <= 0) return high === 0 ? [[[], 0]] : counted(list, high);
  const [head, ...tail] = list;
  if (head === undefined) return [];
  return worked(tail, low - 1, high).flatMap(([chosen, count]): Choice[] => {
    if (count === high) return [[chosen, count]];
    if (count === low - 1) return [[[head, ...chosen], low]];
    return [
      [chosen, count],
      [[head, ...chosen], count + 1],
    ];
  });
}

test("the order is that of the recursive definition for every size and bounds", () => {
  const bound = fc.integer({ min: -2, max: 9 });
  fc.assert(
    fc.property(fc.nat(7), bound, bound, (size, low, high) => {
      const all = Array.from({ length: size }, (_, i) => i);
      const expected = worked(all, low, high).map(([chosen]) => chosen.map((i) => "abcdefgh"[i]).join("") || "-");
      expect(choices(size, low, high)).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

test("the first choices of a long list come at once", () => {
  const subsets = new Subsets(10_000, 9_999, 10_000);
  expect(subsets.first()).toBe(true);
  expect(subsets.next()).toBe(true);
});
