import { GInt, Par } from "@vedette/terms";
import { expect, test } from "vitest";
import type { F1r3nodeKind } from "./F1r3nodeMatching.js";
import { matchSlots } from "./matchSlots.js";

const kind: F1r3nodeKind<number> = {
  isConcrete: () => true,
  isClosed: (target) => target % 7 !== 0,
  equal: Object.is,
  compare: (left, right) => left - right,
  match: () => false,
};

/** Returns the leftovers, and the target of each pattern; patterns take any target from their own number on. */
function found(targets: readonly number[], patterns: readonly number[], remainders: number) {
  let tests = 0;
  const slots = matchSlots({ kind, targets, patterns, remainders }, (target, pattern) => {
    tests += 1;
    if (pattern === undefined) return kind.isClosed(target) ? new Map() : undefined;
    return target >= pattern ? new Map([[pattern, Par.of({ exprs: [new GInt(BigInt(target))] })]]) : undefined;
  });
  const captured = slots?.captures
    .flatMap((captures) => [...captures])
    .map(
      ([
        pattern,
        {
          exprs: [expr],
        },
      ]) => [pattern, expr],
    );
  return { left: slots && [...slots.left], captured, tests };
}

const numbers = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, at) => from + at);
const int = (value: number) => new GInt(BigInt(value));

test("a pattern displaces the places of the remainder, of which each moves on to the next closed target", () => {
  expect(found([1, 2, 3], [2], 2)).toMatchObject({ left: [1, 3], captured: [[2, int(2)]] });
  expect(found([7, 1, 14, 2, 3], [3, 1], 3)).toMatchObject({
    left: [1, 2, 3],
    captured: [
      [1, int(7)],
      [3, int(14)],
    ],
  });
  expect(found([1, 7, 2], [3], 2)).toMatchObject({ left: [1, 2], captured: [[3, int(7)]] });
  expect(found([7, 14], [1], 1)).toMatchObject({ left: undefined });
});

test("each target is tested once or twice, with any number of them for the remainder", () => {
  const { left, tests } = found(numbers(1_001, 3_000).filter(kind.isClosed), [1_001], 1_712);
  expect(left).toHaveLength(1_712);
  expect(tests).toBeLessThan(4_000);
});
