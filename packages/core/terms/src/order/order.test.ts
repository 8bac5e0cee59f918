import { fromHex, toHex } from "@vedette/crypto";
import { runs } from "@vedette/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { equalPar } from "../identity/equal.js";
import { bitSetOf, singleBit } from "../model/BitSet.js";
import {
  Bundle,
  type Connective,
  ConnectiveAnd,
  ConnectiveNot,
  ConnectiveOr,
  ConnectiveType,
  EBinary,
  EMap,
  EMethod,
  ESet,
  EVar,
  type Expr,
  GBool,
  GByteArray,
  GInt,
  GString,
  GUri,
  Match,
  MatchCase,
  New,
  nil,
  noInjections,
  Par,
  Receive,
  ReceiveBind,
  VarRef,
} from "../model/Par.js";
import { boundVar, freeVar, wildcard } from "../model/Var.js";
import { printPar } from "../print/printTerm.js";
import { anyTerm } from "../testing/anyTerm.js";
import { compareTrees, scoreOf } from "../testing/scoreTree.js";
import { encodePar } from "../wire/encode.js";
import { compareExprs, compareSortedBinds } from "./compare.js";
import { rnodeAtoms } from "./compareAtoms.js";
import { makeMap } from "./makeMap.js";
import { makeSet } from "./makeSet.js";

import { compareScores, sortPar, sortReceiveBind } from "./sortPar.js";

const noBits = bitSetOf([]);

function par(...exprs: Expr[]): Par {
  return Par.of({ exprs });
}

function int(value: number): Par {
  return par(new GInt(BigInt(value)));
}

function text(value: string): Par {
  return par(new GString(value));
}

function set(...elements: Par[]): Par {
  return par(makeSet(elements, noBits, false, undefined, rnodeAtoms));
}

function map(...pairs: (readonly [Par, Par])[]): Par {
  return par(
    makeMap(
      pairs.map(([key, value]) => ({ key, value })),
      noBits,
      false,
      undefined,
      rnodeAtoms,
    ),
  );
}

test("the order of any two terms is that of their score trees", () => {
  fc.assert(
    fc.property(anyTerm(), anyTerm(), (left, right) => {
      const tree = compareTrees(scoreOf(sortPar(left)), scoreOf(sortPar(right)));
      expect(Math.sign(compareScores(left, right))).toBe(Math.sign(tree));
      expect(Math.sign(compareScores(right, left))).toBe(-Math.sign(tree) + 0);
      expect(compareScores(left, left)).toBe(0);
    }),
    { numRuns: runs(150, 1_000) },
  );
});

test("every list of a sorted term is in the order of the score trees", () => {
  fc.assert(
    fc.property(anyTerm(), (term) => {
      const sorted = sortPar(term);
      const [, ...children] = scoreOf(sorted) as readonly (readonly [bigint])[];
      const nodes = children.slice(0, -1);
      for (let i = 1; i < nodes.length; i += 1)
        if (kindOf(nodes[i - 1]![0]) === kindOf(nodes[i]![0]))
          expect(compareTrees(nodes[i - 1]!, nodes[i]!)).toBeLessThanOrEqual(0);
      expect(sortPar(sorted)).toBe(sorted);
      expect(sortPar(term)).toBe(sorted);
    }),
    { numRuns: runs(60, 300) },
  );
});

/** Which list of a Par a constant belongs to. */
function kindOf(constant: bigint): string {
  if (constant >= 400n) return "connective";
  if (constant >= 305n) return "bundle";
  if (constant >= 300n) return `process ${constant}`;
  return constant === 5n || (constant >= 10n && constant <= 12n) ? "unforgeable" : "expression";
}

test("a sorted term is sorted again without change, also from its bytes", () => {
  fc.assert(
    fc.property(anyTerm(), (term) => {
      const once = sortPar(term);
      const again = sortPar(Par.of({ ...once }));
      expect(equalPar(again, once)).toBe(true);
      expect(toHex(encodePar(again))).toBe(toHex(encodePar(once)));
    }),
    { numRuns: runs(60, 300) },
  );
});

describe("the orders of chapter 20 §15.3", () => {
  const method = new EMethod("nth", nil, [], noBits, false);
  const set12 = set(int(1), int(2)).exprs[0]!;
  const set11 = set(int(1), int(1)).exprs[0]!;
  test.each<[string, readonly Expr[]]>([
    ["integers", [-2, -1, 0, 1, 2].map((value) => new GInt(BigInt(value)))],
    ["grounds", [new GBool(true), new GInt(47n), new GString("Hello"), new GUri("u")]],
    [
      "variables",
      [boundVar(0), boundVar(1), boundVar(2), freeVar(0), freeVar(1), freeVar(2), wildcard].map((v) => new EVar(v)),
    ],
    ["sets and a method", [new GInt(1n), new GInt(2n), set11, set12, method]],
    [
      "arithmetic",
      [
        new EBinary("EMult", int(6), int(3)),
        new EBinary("EDiv", int(1), int(5)),
        new EBinary("EPlus", int(1), int(3)),
        new EBinary("EMinus", int(4), int(3)),
      ],
    ],
    [
      "mixed",
      [
        new GInt(1n),
        new EVar(boundVar(1)),
        new EBinary("EDiv", int(1), int(5)),
        new EBinary("EEq", int(4), int(3)),
        new EBinary("EOr", par(new GBool(false)), par(new GBool(true))),
      ],
    ],
    ["true before false", [new GBool(true), new GBool(false)]],
    [
      "signed bytes",
      [
        new GByteArray(fromHex("80")),
        new GByteArray(fromHex("d9")),
        new GByteArray(fromHex("")),
        new GByteArray(fromHex("00")),
        new GByteArray(fromHex("7f")),
      ].sort((left, right) => compareExprs(left, right, rnodeAtoms)),
    ],
    ["empty sets", [new ESet([], noBits, false, undefined), new ESet([], noBits, false, freeVar(0))]],
    ["empty maps", [new EMap([], noBits, false, undefined), new EMap([], noBits, false, freeVar(0))]],
  ])("%s", (_, ascending) => {
    const sorted = sortPar(Par.of({ exprs: [...ascending].reverse() }));
    expect(sorted.exprs).toEqual(ascending);
  });

  test("byte 80 comes before d9", () => {
    const high = new GByteArray(fromHex("80"));
    const higher = new GByteArray(fromHex("d9"));
    expect(sortPar(par(higher, high)).exprs).toEqual([high, higher]);
    expect(sortPar(par(new GByteArray(fromHex("00")), higher)).exprs[0]).toBe(higher);
  });

  test("news, and the URIs of one", () => {
    const uri = (...uris: string[]): New => new New(2, nil, uris, noInjections, noBits);
    const ascending = [
      new New(1, nil, [], noInjections, noBits),
      uri(),
      uri("rho:io:stderr"),
      uri("rho:io:stdout"),
      new New(2, int(7), ["rho:io:stdout"], noInjections, noBits),
    ];
    expect(sortPar(Par.of({ news: [...ascending].reverse() })).news).toEqual(ascending);
    expect(sortPar(Par.of({ news: [uri("rho:io:stdout", "rho:io:stderr")] })).news[0]!.uri).toEqual([
      "rho:io:stderr",
      "rho:io:stdout",
    ]);
  });

  test("matches", () => {
    const match = (target: Par, ...cases: number[]): Match =>
      new Match(
        target,
        cases.map((value) => new MatchCase(int(value), int(value), 0)),
        noBits,
        false,
      );
    const ascending = [match(par(new GBool(true)), 4, 3), match(par(new GBool(true)), 5, 4), match(int(5))];
    expect(sortPar(Par.of({ matches: [...ascending].reverse() })).matches).toEqual(ascending);
  });

  test("connectives", () => {
    const ascending: readonly Connective[] = [
      new ConnectiveNot(nil),
      new ConnectiveAnd([]),
      new ConnectiveOr([]),
      new VarRef(0, 0),
      ...(["Bool", "Int", "String", "Uri", "ByteArray"] as const).map((name) => new ConnectiveType(name, true)),
    ];
    expect(sortPar(Par.of({ connectives: [...ascending].reverse() })).connectives).toEqual(ascending);
  });

  test("bundles", () => {
    const ascending = [
      new Bundle(int(9), false, false),
      new Bundle(int(8), false, true),
      new Bundle(int(7), true, false),
      new Bundle(int(6), true, true),
    ];
    expect(sortPar(Par.of({ bundles: [...ascending].reverse() })).bundles).toEqual(ascending);
  });

  test("receives, whose binds keep their order", () => {
    const bind = (pattern: number, source: number): ReceiveBind =>
      new ReceiveBind([int(pattern)], int(source), undefined, 0);
    const receive = (binds: readonly ReceiveBind[], body: Par, persistent = false, peek = false): Receive =>
      new Receive(binds, body, persistent, peek, 0, noBits, false);
    const ascending = [
      receive([bind(0, 3)], nil),
      receive([bind(0, 3)], par(new EVar(boundVar(0)))),
      receive([bind(0, 3), bind(0, 1)], nil),
      receive([bind(1, 3)], nil),
      receive([bind(0, 1)], nil, true),
      receive([bind(0, 1)], nil, true, true),
    ];
    expect(sortPar(Par.of({ receives: [...ascending].reverse() })).receives).toEqual(ascending);
  });

  test("binds", () => {
    const bind = (pattern: number, source: number, remainder?: ReturnType<typeof freeVar>): ReceiveBind =>
      new ReceiveBind([int(pattern)], int(source), remainder, 0);
    const ascending = [bind(3, 2), bind(3, 2, freeVar(0)), bind(1, 3), bind(2, 3)];
    expect(
      [...ascending]
        .reverse()
        .map((bind) => sortReceiveBind(bind, rnodeAtoms))
        .sort((left, right) => compareSortedBinds(left, right, rnodeAtoms)),
    ).toEqual(ascending);
  });
});

describe("sets and maps", () => {
  test("elements that become equal only by sorting stay until the set is sorted", () => {
    const both = set(par(new GInt(1n), new GInt(2n)), par(new GInt(2n), new GInt(1n)));
    expect((both.exprs[0] as ESet).ps.length).toBe(2);
    expect(printPar(sortPar(both))).toBe("Set(1 |\n2)");
  });

  test("the last value of a key counts", () => {
    expect(printPar(map([int(7), text("Seven")], [int(7), text("SeVen")], [int(2), int(1)]))).toBe(
      '{2 : 1, 7 : "SeVen"}',
    );
    expect(printPar(map([text("b"), int(1)], [text("a"), int(2)], [text("b"), int(3)]))).toBe('{"a" : 2, "b" : 3}');
  });

  test("of equal keys the first stays up to four, from five on the last with another value", () => {
    const key = (free: boolean): Par => Par.of({ exprs: [new GInt(9n)], locallyFree: free ? singleBit(1) : noBits });
    const keyOf = (term: Par): Par => (term.exprs[0] as EMap).kvs.at(-1)!.key;
    const few = [1, 2, 3].map((value) => [int(value), nil] as const);
    const many = [1, 2, 3, 4].map((value) => [int(value), nil] as const);
    const shared = int(0);
    expect(keyOf(map([key(false), shared], [key(true), int(1)], ...few)).locallyFree.length).toBe(0);
    expect(keyOf(map([key(false), shared], ...many, [key(true), int(1)])).locallyFree.length).toBe(1);
    expect(keyOf(map([key(false), shared], [key(true), int(1)], ...many)).locallyFree.length).toBe(0);
    expect(keyOf(map([key(false), shared], ...many, [key(true), shared])).locallyFree.length).toBe(0);
  });

  test("keys of one score keep the order of insertion up to four, then that of the hash trie", () => {
    const entry = (value: number): readonly [Par, Par] => [map([text("k"), int(value)]), int(value)];
    const valuesOf = (term: Par): string => (term.exprs[0] as EMap).kvs.map((pair) => printPar(pair.value)).join(" ");
    expect(valuesOf(map(...[4, 2, 3, 1].map(entry)))).toBe("4 2 3 1");
    expect(valuesOf(map(...[1, 2, 3, 4, 5].map(entry)))).toBe("5 2 1 3 4");
    expect(valuesOf(map(...[5, 4, 3, 2, 1].map(entry)))).toBe("5 2 1 3 4");
  });

  test("a list without order or duplicates to mend is taken as it is", () => {
    const elements = [int(1), int(2)].map(sortPar);
    expect(makeSet(elements, noBits, false, undefined, rnodeAtoms).ps).toBe(elements);
  });
});

test("fifty thousand components and many equal ones are sorted in good time", () => {
  const exprs: Expr[] = [];
  for (let i = 0; i < 50_000; i += 1) exprs.push(new GInt(BigInt((i * 7919) % 50_021)));
  const sorted = sortPar(Par.of({ exprs }));
  expect(sorted.exprs[1]).toEqual(new GInt(1n));
  const ties = Array.from({ length: 3000 }, (_, value) => map([text("k"), int(value)]));
  expect((set(...ties, ...ties).exprs[0] as ESet).ps.length).toBe(3000);
});
