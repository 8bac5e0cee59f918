import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Assignment } from "./Assignment.js";
import type { ElementKind } from "./ElementKind.js";
import { MatchState } from "./MatchState.js";

type Edges = Readonly<Record<string, string>>;

/** Patterns are letters, targets are digits; a letter matches the digits that `edges` gives it. */
function assign(slots: string, candidates: string, edges: Edges): { readonly found: string; readonly tests: string } {
  const tests: string[] = [];
  const kind: ElementKind<string> = {
    isConcrete: () => true,
    isClosed: () => true,
    equal: (target, pattern) => {
      tests.push(pattern + target);
      return edges[pattern]?.includes(target) ?? false;
    },
    match: () => false,
  };
  const state = new MatchState(undefined);
  const input = { kind, targets: [...candidates], patterns: [...slots], remainders: 0, state };
  const assignment = Assignment.of(input);
  const progress = assignment.advance();
  const found = progress === "found" ? slotsOf(assignment, slots, candidates.length) : progress;
  return { found, tests: tests.join(" ") };
}

/** The letter that each target went to, by position; `.` for none. */
function slotsOf(assignment: Assignment<string>, slots: string, size: number): string {
  return Array.from({ length: size }, (_, target) => slots[assignment.slotOf(target)] ?? ".").join("");
}

const edges: Edges = { A: "12", B: "1", D: "45", E: "46", F: "56" };

describe("assignments of 22 §8.4", () => {
  test.each([
    ["A", "12", "A."],
    ["AB", "12", "BA"],
    ["AB", "123", "BA."],
    ["ABC", "12", "failed"],
    ["DEF", "2456", ".EDF"],
    ["AA", "1", "failed"],
    ["AA", "11", "AA"],
    ["AB", "11", "BA"],
    ["BA", "11", "AB"],
    ["AA", "21", "AA"],
    ["", "12", ".."],
    ["", "", ""],
  ])("%s on %s", (slots, candidates, expected) => {
    expect(assign(slots, candidates, edges).found).toBe(expected);
  });
});

test("tests are made in the order of 22 §1.8", () => {
  expect(assign("DEF", "456", edges).tests).toBe("D4 E4 D5 F4 F5 D6 F6");
});

test("a solvable case is missed where a displaced slot would have to look back (22 §1.8)", () => {
  const incomplete: Edges = { P: "01", Q: "02", R: "1" };
  expect(assign("PQR", "012", incomplete).found).toBe("failed");
  expect(assign("PRQ", "012", incomplete).found).not.toBe("failed");
});

test("remainder slots are seated as one after the other would sit", () => {
  const anyBits = fc.array(fc.boolean(), { minLength: 36, maxLength: 36 });
  const sizes = fc.tuple(fc.integer({ min: 1, max: 6 }), fc.nat(4), fc.nat(5));
  fc.assert(
    fc.property(
      sizes,
      anyBits,
      fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
      ([size, count, rest], fit, closed) => {
        const targets = Array.from({ length: size }, (_, target) => target);
        const patterns = Array.from({ length: count }, (_, pattern) => pattern);
        const kind: ElementKind<number> = {
          isConcrete: () => true,
          isClosed: (target) => closed[target]!,
          equal: (target, pattern) => (pattern < 0 ? closed[target]! : fit[pattern * 6 + target]!),
          match: () => false,
        };
        const state = new MatchState(undefined);
        const slots = [...new Array<number>(rest).fill(-1), ...patterns];
        const seated = Assignment.of({ kind, targets, patterns, remainders: rest, state });
        const slow = Assignment.of({ kind, targets, patterns: slots, remainders: 0, state });
        const progress = seated.advance();
        expect(progress).toBe(slow.advance());
        if (progress === "found")
          expect(targets.map((at) => seated.slotOf(at))).toEqual(targets.map((at) => slow.slotOf(at)));
      },
    ),
    { numRuns: 2000 },
  );
});

/** Numbers that are equal by their remainder; more targets than a limit are looked up by it. */
const kindOf = (modulus: number, closed: readonly boolean[], hashed: boolean): ElementKind<number> => ({
  isConcrete: (pattern) => pattern >= 0,
  isClosed: (target) => closed[target % closed.length]!,
  equal: (target, pattern) => target % modulus === pattern % modulus,
  match: (target, pattern) => target >= -pattern,
  ...(hashed && { hashOf: (element: number) => element % modulus }),
});

test("of many targets the same are taken as of few, which are looked through", () => {
  const sizes = fc.tuple(fc.integer({ min: 64, max: 90 }), fc.integer({ min: 16, max: 60 }), fc.nat(90));
  const closedOnes = fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }).map((some) => [true, ...some]);
  const anyPatterns = fc.array(fc.integer({ min: -90, max: 90 }), { minLength: 60, maxLength: 60 });
  fc.assert(
    fc.property(
      ...([sizes, closedOnes, anyPatterns, fc.integer({ min: 20, max: 90 })] as const),
      ([size, count, rest], closed, choices, modulus) => {
        const targets = Array.from({ length: size }, (_, target) => target);
        const patterns = choices.slice(0, count);
        const remainders = Math.min(rest, size - count);
        fc.pre(remainders >= 0);
        const state = new MatchState(undefined);
        const fast = Assignment.of({ kind: kindOf(modulus, closed, true), targets, patterns, remainders, state });
        const slots = [...new Array<number>(remainders).fill(Number.NaN), ...patterns];
        const plain = kindOf(modulus, closed, false);
        const isRest = (slot: number) => Number.isNaN(slot);
        const equal = (target: number, slot: number) =>
          isRest(slot) ? plain.isClosed(target) : plain.equal(target, slot);
        const isConcrete = (slot: number) => isRest(slot) || plain.isConcrete(slot);
        const kind = { ...plain, isConcrete, equal };
        const slow = Assignment.of({ kind, targets, patterns: slots, remainders: 0, state });
        const progress = fast.advance();
        expect(progress).toBe(slow.advance());
        if (progress !== "found") return;
        const holder = (slot: number) => (slot >= 0 && slot < remainders ? 0 : slot);
        expect(targets.map((at) => holder(fast.slotOf(at)))).toEqual(targets.map((at) => holder(slow.slotOf(at))));
        const left = fast.remainder();
        const taken = targets.filter((at) => slow.slotOf(at) >= 0 && slow.slotOf(at) < remainders);
        expect(left).toEqual(targets.filter((at) => taken.some((other) => plain.equal(at, other))));
      },
    ),
    { numRuns: 500 },
  );
});
