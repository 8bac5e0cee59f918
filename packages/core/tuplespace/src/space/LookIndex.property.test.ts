import { runs } from "@vedette/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { LookIndex } from "./LookIndex.js";

const wanted = [2, 3, 5, 7].map((factor) => ({ factor }));

const anyStep = fc.oneof(
  fc.record({ kind: fc.constant("push" as const), item: fc.nat({ max: 60 }) }),
  fc.record({ kind: fc.constant("remove" as const), at: fc.nat() }),
  fc.record({ kind: fc.constant("find" as const), which: fc.nat({ max: wanted.length - 1 }), byLook: fc.boolean() }),
);

test("what is looked for again and again is the newest that fits, each time", () => {
  let found = 0;
  const check = (
    begin: readonly number[],
    steps: readonly (typeof anyStep extends fc.Arbitrary<infer T> ? T : never)[],
  ) => {
    const items = [...begin];
    const looksOf = (item: number) => wanted.filter(({ factor }) => item % factor === 0).map(({ factor }) => factor);
    const index = new LookIndex(items, looksOf);
    for (const step of steps) {
      if (step.kind === "push") {
        items.push(step.item);
        index.push(step.item);
      } else if (step.kind === "remove") {
        const at = step.at % Math.max(1, items.length);
        const [item] = items.splice(at, 1);
        if (item !== undefined) index.removeAt(at, item);
      } else {
        const one = wanted[step.which]!;
        const fits = (item: number) => item % one.factor === 0 && item % 11 < 4;
        const place = index.findFor(
          one,
          () => (step.byLook ? one.factor : undefined),
          (at) => (fits(items[at]!) ? at : undefined),
        );
        expect(place ?? -1).toBe(items.findLastIndex(fits));
        if (place !== undefined) found += 1;
      }
    }
  };
  const anyItems = fc.array(fc.nat({ max: 60 }), { minLength: 20, maxLength: 60 });
  fc.assert(fc.property(anyItems, fc.array(anyStep, { minLength: 20, maxLength: 80 }), check), {
    numRuns: runs(200, 5_000),
  });
  expect(found).toBeGreaterThan(0);
});

test("what was refused once is not tried again", () => {
  const index = new LookIndex([...Array(100).keys()], () => []);
  const one = {};
  let tries = 0;
  const refuse = () => {
    tries += 1;
    return undefined;
  };
  for (let at = 0; at < 100; at += 1) {
    index.findFor(one, () => undefined, refuse);
    index.push(at);
  }
  expect(tries).toBe(199);
});
