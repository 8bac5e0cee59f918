import {
  BindPattern,
  EList,
  ETuple,
  EVar,
  emptyBitSet,
  freeVar,
  ListParWithRandom,
  type Par,
  parOfExpr,
  wildcard,
} from "@vedette/terms";
import { anyData, anyTerm } from "@vedette/terms/testing";
import { runs } from "@vedette/testing";
import { lookOfPattern, looksOfData } from "@vedette/tuplespace/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matchF1r3nodeDatum } from "../f1r3node/match/matchF1r3nodePar.js";
import { matchDatum } from "./matchPar.js";

const randomState = new Uint8Array(32);
const ticks = 20_000;

function limited() {
  let left = ticks;
  return {
    tick(units: number) {
      left -= units;
      if (left < 0) throw new Error("enough");
    },
  };
}

const open = (level: number | undefined): Par => parOfExpr(new EVar(level === undefined ? wildcard : freeVar(level)));

/** What becomes of a part in a pattern: it stays, or a variable or wildcard stands for it. */
const anyHole = fc.constantFrom("stays" as const, "variable" as const, "wildcard" as const);

interface Part {
  readonly shape: "plain" | "tuple" | "list";
  readonly elements: readonly {
    readonly value: Par;
    readonly hole: typeof anyHole extends fc.Arbitrary<infer T> ? T : never;
  }[];
  /** A list's last elements are left to a remainder. */
  readonly left: number;
}

const anyPart: fc.Arbitrary<Part> = fc.record({
  shape: fc.constantFrom("plain" as const, "tuple" as const, "list" as const),
  elements: fc.array(fc.record({ value: anyData(), hole: anyHole }), { minLength: 1, maxLength: 10 }),
  left: fc.nat({ max: 2 }),
});

/** A datum, and a pattern that is made of it. */
function pairOf(
  parts: readonly Part[],
  isCut: boolean,
): { readonly data: ListParWithRandom; readonly bind: BindPattern } {
  let level = 0;
  const inPattern = ({ value, hole }: Part["elements"][number]) =>
    hole === "stays" ? value : open(hole === "variable" ? level++ : undefined);
  const pars = parts.map(({ shape, elements }) => {
    const values = elements.map(({ value }) => value);
    if (shape === "plain") return values[0]!;
    return parOfExpr(
      shape === "tuple" ? new ETuple(values, emptyBitSet, false) : new EList(values, emptyBitSet, false, undefined),
    );
  });
  const patterns = parts.map(({ shape, elements, left }) => {
    if (shape === "plain") return inPattern(elements[0]!);
    const kept = shape === "list" && left > 0 ? elements.slice(0, -left) : elements;
    const values = kept.map(inPattern);
    const isOpen = kept.some(({ hole }) => hole !== "stays");
    if (shape === "tuple") return parOfExpr(new ETuple(values, emptyBitSet, isOpen));
    const remainder = kept.length < elements.length ? freeVar(level++) : undefined;
    return parOfExpr(new EList(values, emptyBitSet, isOpen || remainder !== undefined, remainder));
  });
  const remainder = isCut ? freeVar(level++) : undefined;
  const bind = new BindPattern(isCut ? patterns.slice(0, -1) : patterns, remainder, level);
  return { data: new ListParWithRandom(pars, randomState), bind };
}

const mayMatch = (bind: BindPattern, data: ListParWithRandom) => {
  const look = lookOfPattern(bind);
  return look === undefined || looksOfData(data).includes(look);
};

describe.each([
  ["rnode", matchDatum],
  ["f1r3node", matchF1r3nodeDatum],
] as const)("what the look of a datum refuses the matcher refuses: %s", (_, match) => {
  test("of patterns that are made of their data", () => {
    let matches = 0;
    const check = (parts: readonly Part[], isCut: boolean) => {
      const { data, bind } = pairOf(parts, isCut);
      if (match(bind, data, limited()) === undefined) return;
      matches += 1;
      expect(mayMatch(bind, data)).toBe(true);
    };
    fc.assert(fc.property(fc.array(anyPart, { minLength: 1, maxLength: 3 }), fc.boolean(), check), {
      numRuns: runs(200, 2_000),
    });
    expect(matches).toBeGreaterThan(runs(50, 1_000));
  });

  test("of patterns and data that were made apart", () => {
    const someTerms = fc.array(fc.oneof(anyTerm(), anyData()), { minLength: 1, maxLength: 2 });
    const check = (patterns: readonly Par[], pars: readonly Par[]) => {
      const bind = new BindPattern(patterns, undefined, 4);
      const data = new ListParWithRandom(pars, randomState);
      if (mayMatch(bind, data)) return;
      let matched: unknown;
      try {
        matched = match(bind, data, limited());
      } catch {
        return;
      }
      expect(matched).toBeUndefined();
    };
    fc.assert(fc.property(someTerms, someTerms, check), { numRuns: runs(200, 2_000) });
  });
});
