import { fromHex, toHex } from "@vedette/crypto";
import { readVectors, usualCases } from "@vedette/testing";
import { describe, expect, test } from "vitest";
import { equalPar } from "../identity/equal.js";
import { structuralHash } from "../identity/structuralHash.js";
import { emptyBitSet } from "../model/BitSet.js";
import { GBigInt, GBigRational, GDouble, GFixedPoint } from "../model/numbers.js";
import {
  EList,
  EPathMap,
  type Expr,
  EZipper,
  GByteArray,
  GInt,
  GString,
  If,
  Match,
  MatchCase,
  nil,
  none,
  Par,
  Receive,
} from "../model/Par.js";
import { f1r3nodeTerms } from "./f1r3nodeTerms.js";
import { rnodeTerms } from "./rnodeTerms.js";

const withExpr = (expr: Expr): Par => Par.of({ exprs: [expr] });
const one = withExpr(new GInt(1n));
const two = withExpr(new GInt(2n));

/** Returns a term with all unordered parts reversed; nothing is cached with it. */
function reversed<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(reversed) as Value;
  if (value instanceof Map) return new Map(value) as Value;
  if (value instanceof Uint8Array || typeof value !== "object" || value === null) return value;
  const copy = Object.create(Object.getPrototypeOf(value)) as Record<string, unknown>;
  for (const [name, part] of Object.entries(value)) {
    const isUnordered = value instanceof Par && Array.isArray(part);
    if (name.startsWith("cached")) copy[name] = name === "cachedSize" ? -1 : undefined;
    else copy[name] = isUnordered ? (reversed(part) as unknown[]).reverse() : reversed(part);
  }
  return copy as Value;
}

describe("f1r3node's order", () => {
  test.each<readonly [string, readonly Par[]]>([
    ["byte strings are unsigned", ["", "00", "7f", "80", "ff"].map((hex) => withExpr(new GByteArray(fromHex(hex))))],
    ["texts are ordered by code points", ["a", "aa", "\uffff", "\u{10000}"].map((text) => withExpr(new GString(text)))],
    [
      "numbers come after collections",
      [
        withExpr(new EList([one], emptyBitSet, false, undefined)),
        withExpr(new EPathMap([one], emptyBitSet, false, undefined)),
        withExpr(new GDouble(0x8000_0000_0000_0000n)),
        withExpr(new GDouble(0n)),
        withExpr(new GDouble(0x3ff0_0000_0000_0000n)),
        withExpr(new GBigInt(fromHex("01"))),
        withExpr(new GBigInt(fromHex("80"))),
        withExpr(new GBigRational(fromHex("01"), fromHex("02"))),
        withExpr(new GBigRational(fromHex("01"), fromHex("03"))),
        withExpr(new GFixedPoint(fromHex("01"), 1)),
        withExpr(new GFixedPoint(fromHex("01"), 2)),
      ],
    ],
    [
      "conditionals come after everything else, by their conditions and branches",
      [
        Par.of({ exprs: [new GInt(1n)], conditionals: [new If(one, nil, nil, emptyBitSet, false)] }),
        Par.of({ exprs: [new GInt(2n)] }),
        Par.of({ conditionals: [new If(one, nil, nil, emptyBitSet, false)] }),
        Par.of({ conditionals: [new If(one, nil, two, emptyBitSet, false)] }),
        Par.of({ conditionals: [new If(one, one, nil, emptyBitSet, false)] }),
      ],
    ],
    [
      "a guard counts last",
      [undefined, one, two].map((guard) =>
        Par.of({ receives: [new Receive(none, nil, false, false, 0, emptyBitSet, false, guard)] }),
      ),
    ],
  ])("%s", (_, ascending) => {
    for (let i = 1; i < ascending.length; i += 1) {
      expect(f1r3nodeTerms.compareScores(ascending[i - 1]!, ascending[i]!)).toBeLessThan(0);
      expect(f1r3nodeTerms.compareScores(ascending[i]!, ascending[i - 1]!)).toBeGreaterThan(0);
      expect(equalPar(ascending[i - 1]!, ascending[i]!)).toBe(false);
    }
    for (const par of ascending) {
      const copy = reversed(par);
      expect(f1r3nodeTerms.compareScores(par, copy)).toBe(0);
      expect(equalPar(par, copy)).toBe(true);
      expect(structuralHash(par)).toBe(structuralHash(copy));
    }
  });

  test("is not that of f1r3node, where it differs", () => {
    const [high, low] = ["80", "00"].map((hex) => withExpr(new GByteArray(fromHex(hex))));
    expect(rnodeTerms.compareScores(reversed(high!), reversed(low!))).toBeLessThan(0);
    expect(f1r3nodeTerms.compareScores(high!, low!)).toBeGreaterThan(0);
  });

  test("equality is that of zippers and of guards of cases, too", () => {
    const map = new EPathMap([one], emptyBitSet, false, undefined);
    const zipper = (path: string, of: EPathMap | undefined): Par =>
      withExpr(new EZipper(of, [fromHex(path)], false, emptyBitSet, false));
    expect(equalPar(zipper("01", map), reversed(zipper("01", map)))).toBe(true);
    expect(equalPar(zipper("01", map), zipper("02", map))).toBe(false);
    expect(equalPar(zipper("01", map), zipper("01", undefined))).toBe(false);
    const guarded = (guard: Par | undefined): MatchCase => new MatchCase(nil, nil, 0, guard);
    const match = (guard: Par | undefined): Par =>
      Par.of({ matches: [new Match(one, [guarded(guard)], emptyBitSet, false)] });
    expect(equalPar(match(one), match(one))).toBe(true);
    expect(equalPar(match(one), match(undefined))).toBe(false);
  });
});

interface ParseVector {
  readonly id: string;
  readonly unstable?: boolean;
  readonly expect: { readonly bytes?: string };
}

/** Two maps with equal keys have one score: they stay as the text has them. */
const tied = "collection/par-of-maps-tie";

describe("f1r3node's terms", () => {
  test("are in this order, into which they are brought from another", () => {
    const failures: string[] = [];
    const vectors = [...readVectors<ParseVector>("f1r3node", "parse")].filter((one) => one.expect.bytes !== undefined);
    expect(vectors).toHaveLength(2696);
    for (const {
      id,
      unstable,
      expect: { bytes = "" },
    } of usualCases(vectors, 500)) {
      const par = f1r3nodeTerms.decodePar(fromHex(bytes));
      if (toHex(f1r3nodeTerms.encodePar(f1r3nodeTerms.sortPar(par))) !== bytes) failures.push(id);
      const again = f1r3nodeTerms.sortPar(reversed(par));
      if (unstable === true || id === tied) continue;
      if (toHex(f1r3nodeTerms.encodePar(again)) !== bytes) failures.push(`${id}: reversed`);
      if (structuralHash(again) !== structuralHash(par)) failures.push(`${id}: hash`);
    }
    expect(failures).toEqual([]);
  });
});
