import { compareUtf8 } from "@vedette/terms";
import { runs } from "@vedette/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Ordered, type Range, RangeTree } from "./RangeTree.js";

function isBelow(one: Ordered, other: Ordered): boolean {
  if (typeof one === "string" && typeof other === "string") return compareUtf8(one, other) < 0;
  return one < other;
}

function holds({ low, high }: Range, value: Ordered): boolean {
  const isAbove = low === undefined || isBelow(low.value, value) || (low.isIn && low.value === value);
  return isAbove && (high === undefined || isBelow(value, high.value) || (high.isIn && high.value === value));
}

const anySteps = <Value extends Ordered>(anyValue: fc.Arbitrary<Value>) => {
  const anyEnd = fc.option(fc.record({ value: anyValue, isIn: fc.boolean() }), { nil: undefined });
  return fc.array(
    fc.oneof(
      { weight: 3, arbitrary: fc.record({ kind: fc.constant("push" as const), low: anyEnd, high: anyEnd }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant("remove" as const), at: fc.nat() }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant("find" as const), value: anyValue }) },
    ),
    { minLength: 20, maxLength: 120 },
  );
};

describe.each([
  ["integers", fc.bigInt({ min: -9n, max: 9n })],
  ["texts", fc.string({ unit: fc.constantFrom("a", "b", "\u{1f600}", "\uffff"), maxLength: 2 })],
] as const)("ranges of %s", (_, anyValue) => {
  test("are found as in a list, the newest first", () => {
    let found = 0;
    const check = (steps: ReturnType<typeof anySteps<Ordered>> extends fc.Arbitrary<infer Steps> ? Steps : never) => {
      const tree = new RangeTree();
      const all: { readonly number: number; readonly range: Range }[] = [];
      let next = 0;
      for (const step of steps) {
        if (step.kind === "push") {
          const item = { number: next++, range: { low: step.low, high: step.high } };
          all.push(item);
          tree.push(item.number, item.range);
        } else if (step.kind === "remove") {
          const [item] = all.splice(step.at % Math.max(1, all.length), 1);
          if (item !== undefined) tree.remove(item.number);
        } else {
          const wanted = all.filter(({ range }) => holds(range, step.value)).map(({ number }) => number);
          const numbers: number[] = [];
          let newest = tree.newestBelow(Number.POSITIVE_INFINITY, step.value);
          for (; newest >= 0; newest = tree.newestBelow(newest, step.value)) numbers.push(newest);
          expect(numbers).toEqual(wanted.reverse());
          found += numbers.length;
        }
        expect(tree.isEmpty).toBe(all.length === 0);
      }
    };
    fc.assert(fc.property(anySteps<Ordered>(anyValue), check), { numRuns: runs(200, 5_000) });
    expect(found).toBeGreaterThan(0);
  });
});
