import {
  BindPattern,
  EList,
  ETuple,
  EVar,
  emptyBitSet,
  freeVar,
  GInt,
  ListParWithRandom,
  makeMap,
  makeSet,
  Par,
  parOfExpr,
  Send,
  type Var,
  wildcard,
} from "@vedette/terms";
import { anyData, anyTerm } from "@vedette/terms/testing";
import { runs } from "@vedette/testing";
import { looksOfData, looksOfPattern } from "@vedette/tuplespace/testing";
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

/** The fate of a part in a pattern: it stays, or a variable or wildcard replaces it. */
const anyHole = fc.constantFrom("stays" as const, "variable" as const, "wildcard" as const);

interface Part {
  readonly shape: "plain" | "tuple" | "list" | "send" | "map" | "set";
  readonly elements: readonly {
    readonly value: Par;
    readonly hole: typeof anyHole extends fc.Arbitrary<infer T> ? T : never;
  }[];
  /** A list's last elements are left to a remainder. */
  readonly left: number;
}

const anyPart: fc.Arbitrary<Part> = fc.record({
  shape: fc.constantFrom(
    ...(["plain", "tuple", "list", "send", "map", "set"] as const satisfies readonly Part["shape"][]),
  ),
  elements: fc.array(fc.record({ value: anyData(), hole: anyHole }), { minLength: 1, maxLength: 10 }),
  left: fc.nat({ max: 2 }),
});

const hasRest = (shape: Part["shape"]) => shape === "list" || shape === "map" || shape === "set";

/** One term of some parts; of a map these are values of keys by their places. */
function made(
  shape: Exclude<Part["shape"], "plain">,
  values: readonly Par[],
  { isOpen, remainder }: { readonly isOpen: boolean; readonly remainder: Var | undefined },
): Par {
  const key = (at: number) => parOfExpr(new GInt(BigInt(at)));
  switch (shape) {
    case "tuple":
      return parOfExpr(new ETuple(values, emptyBitSet, isOpen));
    case "list":
      return parOfExpr(new EList(values, emptyBitSet, isOpen, remainder));
    case "send":
      return Par.of({
        sends: [new Send(values[0]!, values.slice(1), false, emptyBitSet, isOpen)],
        connectiveUsed: isOpen,
      });
    case "set":
      return parOfExpr(makeSet(values, emptyBitSet, isOpen, remainder));
    case "map": {
      const pairs = values.map((value, at) => ({ key: key(at), value }));
      return parOfExpr(makeMap(pairs, emptyBitSet, isOpen, remainder));
    }
  }
}

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
    return shape === "plain" ? values[0]! : made(shape, values, { isOpen: false, remainder: undefined });
  });
  const patterns = parts.map(({ shape, elements, left }) => {
    if (shape === "plain") return inPattern(elements[0]!);
    const kept = hasRest(shape) && left > 0 ? elements.slice(0, -left) : elements;
    const values = kept.map(inPattern);
    const isOpen = kept.some(({ hole }) => hole !== "stays");
    const remainder = kept.length < elements.length ? freeVar(level++) : undefined;
    return made(shape, values, { isOpen: isOpen || remainder !== undefined, remainder });
  });
  const remainder = isCut ? freeVar(level++) : undefined;
  const bind = new BindPattern(isCut ? patterns.slice(0, -1) : patterns, remainder, level);
  return { data: new ListParWithRandom(pars, randomState), bind };
}

const mayMatch = (bind: BindPattern, data: ListParWithRandom) => {
  const shown = new Set(looksOfData(data));
  return looksOfPattern(bind).every((look) => shown.has(look));
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
