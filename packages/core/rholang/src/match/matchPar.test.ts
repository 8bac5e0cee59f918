import {
  BindPattern,
  boundVar,
  EList,
  EVar,
  emptyBitSet,
  freeVar,
  GInt,
  GPrivate,
  ListParWithRandom,
  nil,
  type Par,
  parOfExpr,
  parOfUnforgeable,
  printPar,
  type Var,
  wildcard,
} from "@vedette/terms";
import { describe, expect, test } from "vitest";
import { compile } from "../compile.js";
import { Environment } from "../evaluate/Environment.js";
import { substitute } from "../evaluate/substitute/substitute.js";
import { matchDatum, matchPar } from "./matchPar.js";

const unf = parOfUnforgeable(new GPrivate(Uint8Array.of(7)));

/**
 * Matches two terms written as programs, `b0` being a variable bound outside and `unf` an unforgeable name.
 *
 * @param names variables of the pattern, `*x` for a name
 * @returns the value of each variable, printed; the empty text for one that was not bound
 */
function matched(target: string, pattern: string, names: readonly string[]): Record<string, string> | null {
  const source = `new unf, b0 in { match { ${target} } { { ${pattern} } => [${names.join(", ")}] } }`;
  const outer = compile(source).news[0]!.p.matches[0]!;
  const close = (term: Par, depth: number): Par => substitute(term, depth, Environment.of([unf]).shifted(1));
  const one = outer.cases[0]!;
  const bindings = matchPar(close(outer.target, 0), close(one.pattern, 1));
  if (bindings === undefined) return null;
  const result: Record<string, string> = {};
  const list = one.source.exprs[0] as EList;
  list.ps.forEach((item, i) => {
    const { index } = (item.exprs[0] as EVar).v as { readonly index: number };
    const value = bindings.get(one.freeCount - 1 - index);
    result[names[i]!] = value === undefined ? "" : printPar(value);
  });
  return result;
}

function printed(source: string): string {
  const par = compile(`new unf in { match { ${source} } { _ => Nil } }`).news[0]!.p.matches[0]!.target;
  return printPar(substitute(par, 0, Environment.of([unf])));
}

type Row = readonly [target: string, pattern: string, captures: Readonly<Record<string, string>> | null];

const rows: readonly Row[] = [
  ["7", "x0", { x0: "7" }],
  ["*b0", "x0", null],
  ["*b0", "_", {}],
  ["*b0", "x0 | _", null],
  ["Nil", "x0", { x0: "Nil" }],
  ['["add", 7, 8]', '["add", x0, x1]', { x0: "7", x1: "8" }],
  ["[7,8] | [7,9]", "[7, x1] | [x0, 9]", { x0: "7", x1: "8" }],
  ["1 | 1", "x0 | x1", { x0: "1 | 1", x1: "" }],
  ["1 | 2 | 3", "x0 | x1 | _", { x0: "1 | 2 | 3", x1: "" }],
  ["1 | 1", "1 | x0", { x0: "1 | 1" }],
  ["1 | 1 | 2", "1 | x0", { x0: "1 | 1 | 2" }],
  ["@0!(1) | @0!(1)", "@0!(1) | x0", { x0: "@0!(1) | @0!(1)" }],
  ["@0!(1) | @0!(2)", "@0!(x0) | x1", { x0: "1", x1: "@0!(2)" }],
  ["@0!(1) | @0!(2) | @0!(3)", "@0!(x0) | x1", { x0: "1", x1: "@0!(2) | @0!(3)" }],
  ["@0!(1) | @0!(2) | @0!(3)", "@0!(x0) | _", { x0: "1" }],
  ["@0!(1) | @0!(2)", "@0!(x0) | @0!(x1)", { x0: "2", x1: "1" }],
  ["unf!(7, 8)", "x0!(_, 8)", { "*x0": "*unf" }],
  ["unf!(7, 8)", "_!(x0, 8)", { x0: "7" }],
  ["unf!(7, 8, 9)", "_!(x0, _)", null],
  ["7 | 8 | 9", "8 | x0", { x0: "7 | 9" }],
  ["7 | 8 | 9", "8 | _", {}],
  ["7 | 8 | 9", "8 | x0 | _", { x0: "7 | 9" }],
  ["[1]", "[x0]", { x0: "1" }],
  ["[1,[2]] | [1,[3]]", "[1,[x0]] | [x1,[2]]", { x0: "3", x1: "1" }],
  ["[1,[2]] | [1,[3]]", "[1,[...x0]] | [x1,[2]]", { x0: "[3]", x1: "1" }],
  ["[1,[2,2]] | [1,[3,2]]", "[1,[x0,2]] | [x1,[2,2]]", { x0: "3", x1: "1" }],
  ["[1] | [*b0]", "[_] | x0", { x0: "[1]" }],
  ["[1,2] | [1,3] | 5", "[1,x0] | x1", { x0: "2", x1: "[1,3] | 5" }],
  ["new y, z in {*z | @7!(42)}", "new y, z in {@7!(x0) | _}", { x0: "42" }],
  ["[1,2]", "[1 ...x0]", { x0: "[2]" }],
  ["[1]", "[1 ...x0]", { x0: "[]" }],
  ["[1,2,3]", "[...x0]", { x0: "[1,2,3]" }],
  ["[1,2,3]", "[x0 ..._]", { x0: "1" }],
  ["Set(1,2,3,4,5)", "Set(2,5,x0,x1,_)", { x0: "4", x1: "3" }],
  ["Set(1,2,3,4,5)", "Set(2,5,x0,_)", null],
  ["Set(1,2,3,4,5)", "Set(1,4 ..._)", {}],
  ["Set(1,2,3,4,5)", "Set(1,2,3,4,5 ..._)", {}],
  ["Set(1,2,3,4,5)", "Set(..._)", {}],
  ["Set(1,2,3,4,5)", "Set(1,4,x0 ...x1)", { x0: "2", x1: "Set(3,5)" }],
  ["Set(1,2,3,4,5)", "Set(1,2,3,4,5 ...x0)", { x0: "Set()" }],
  ["Set(1,2,3,4,5)", "Set(...x0)", { x0: "Set(1,2,3,4,5)" }],
  ["Set(1,2)", "Set(x0, x1)", { x0: "2", x1: "1" }],
  ["Set(1,2)", "Set(x0, _)", { x0: "2" }],
  ["Set(1,2,3)", "Set(x0 ...x1)", { x0: "1", x1: "Set(2,3)" }],
  ["Set(1,2,3,4)", "Set(x0,x1 ...x2)", { x0: "2", x1: "1", x2: "Set(3,4)" }],
  ["{1:2, 3:4, 5:6}", "{1:x1, 3:4, x0:_}", { x0: "5", x1: "2" }],
  ["{1:2, 3:4, 5:6}", "{3:x1, x0:_, _:4}", null],
  ["{1:2, 3:4, 5:6}", "{3:4 ..._}", {}],
  ["{1:2, 3:4, 5:6}", "{x0:4 ...x1}", { x0: "3", x1: "{1:2, 5:6}" }],
  ["{1:2, 3:4, 5:6}", "{1:2, 3:4, 5:6 ...x0}", { x0: "{}" }],
  ['{"a":1, "b":2}', "{x0:x1, x2:x3}", { x0: '"b"', x1: "2", x2: '"a"', x3: "1" }],
  ['{"a":1, "b":2, "c":3}', "{x0:x1 ...x2}", { x0: '"a"', x1: "1", x2: '{"b":2, "c":3}' }],
  ["bundle+{@7!(42) | @0!(43)}", "x0", { x0: "bundle+{@7!(42) | @0!(43)}" }],
  ["@7!(8)", "{@7!(x0)} /\\ {x1!(8)}", { x0: "8", "*x1": "7" }],
  ["@7!(9)", "{@7!(x0)} /\\ {x1!(8)}", null],
  ["@7!(8)", "{@9!(x0)} \\/ {x0!(8)}", {}],
  ["@1!(2) | @2!(3) | @3!(4)", "~Nil", {}],
  ["@1!(2) | @2!(3) | @3!(4)", "~Nil | ~Nil", {}],
  ["@1!(2) | @2!(3) | @3!(4)", "~Nil | ~Nil | ~Nil", {}],
  ["@1!(2) | @2!(3) | @3!(4)", "~Nil | ~Nil | ~Nil | ~Nil", null],
  ["1 | 2", "~Nil | x0", { x0: "2" }],
  ["1 | 2 | 3", "{x0 /\\ ~Nil} | x1", { x0: "1", x1: "2 | 3" }],
  ["1 | 2 | 3", "{x0 /\\ {~Nil | ~Nil}} | x1", { x0: "1 | 2", x1: "3" }],
  ['1 | 2 | "a"', "{x0 /\\ Int} | x1", { x0: "1", x1: '2 | "a"' }],
  ['1 | "a"', "~Int | x0", { x0: '1 | "a"' }],
  ["1", "Int \\/ x0", {}],
  ["false", "Bool", {}],
  ["7", "Int", {}],
  ['"s"', "String", {}],
  ["`rho:x`", "Uri", {}],
  ['"s"', "Int", null],
  ['"s"', "ByteArray", null],
  ["7", "String", null],
  ['"abc" ++ "def"', "x0 ++ x1", { x0: '"abc"', x1: '"def"' }],
  ["Set(1,2,3) -- Set(1,2)", "x0 -- x1", { x0: "Set(1,2,3)", x1: "Set(1,2)" }],
  ["1 + 2", "x0 + x1", { x0: "1", x1: "2" }],
  ["1 - 2", "x0 - x1", null],
];

describe("rows of 22 §8.4", () => {
  test.each(rows)("%s against %s", (target, pattern, captures) => {
    const result = matched(target, pattern, Object.keys(captures ?? {}));
    const expected =
      captures &&
      Object.fromEntries(Object.entries(captures).map(([name, text]) => [name, text === "" ? "" : printed(text)]));
    expect(result).toEqual(expected);
  });
});

describe("binds of 22 §8.4", () => {
  const number = (value: number): Par => parOfExpr(new GInt(BigInt(value)));
  const x = parOfExpr(new EVar(freeVar(0)));
  const y = parOfExpr(new EVar(freeVar(1)));
  const any = parOfExpr(new EVar(wildcard));
  const random = Uint8Array.of(1, 2, 3);
  const list = (...items: Par[]): Par => parOfExpr(new EList(items, emptyBitSet, false, undefined));

  test.each<[string, readonly Par[], Var | undefined, number, readonly Par[], readonly Par[] | undefined]>([
    ["a variable", [x], undefined, 1, [number(1)], [number(1)]],
    ["a variable, too few data", [x], undefined, 1, [], undefined],
    ["a variable, too many data", [x], undefined, 1, [number(1), number(2)], undefined],
    ["a wildcard", [any], undefined, 0, [number(1)], []],
    ["a number", [number(1)], undefined, 0, [number(1)], []],
    ["two variables", [x, y], undefined, 2, [number(1), number(2)], [number(1), number(2)]],
    ["a remainder", [x], freeVar(1), 2, [number(1), number(2), number(3)], [number(1), list(number(2), number(3))]],
    ["a remainder of nothing", [x], freeVar(1), 2, [number(1)], [number(1), list()]],
    ["a remainder, too few data", [x], freeVar(1), 2, [], undefined],
    ["a wildcard remainder", [x], wildcard, 1, [number(1), number(2)], [number(1)]],
    ["a bound remainder", [x], boundVar(0), 1, [number(1), number(2)], undefined],
    ["a remainder alone", [], freeVar(0), 1, [], [list()]],
    ["an empty bind", [], undefined, 0, [], []],
    ["a variable that stays unbound", [any], undefined, 1, [number(1)], [nil]],
  ])("%s", (_, patterns, remainder, freeCount, data, expected) => {
    const result = matchDatum(new BindPattern(patterns, remainder, freeCount), new ListParWithRandom(data, random));
    expect(result?.pars).toEqual(expected);
    if (result !== undefined) expect(result.randomState).toBe(random);
  });

  test("a datum that is captured whole stays the same object", () => {
    const datum = list(number(1), number(2));
    const result = matchDatum(new BindPattern([x], undefined, 1), new ListParWithRandom([datum], random));
    expect(result!.pars[0]).toBe(datum);
  });
});

describe("work without end", () => {
  test("a meter can end an exponential match", () => {
    const target = Array.from({ length: 30 }, (_, i) => `@${i}!(Nil)`).join(" | ");
    const source = `match { ${target} } { { ~{_ | 1} | ~{_ | 2} | {~{_ | 3} /\\ {@99!(_)}} } => Nil }`;
    const { target: term, cases } = compile(source).matches[0]!;
    let left = 10_000;
    const meter = {
      tick(units: number) {
        left -= units;
        if (left < 0) throw new RangeError("time is up");
      },
    };
    expect(() => matchPar(term, cases[0]!.pattern, meter)).toThrow("time is up");
  });

  test("many terms against a variable and one pattern are matched quickly", () => {
    const target = Array.from({ length: 5000 }, (_, i) => `@0!(${i})`).join(" | ");
    const { target: term, cases } = compile(`match { ${target} } { { @0!(4999) | x } => Nil }`).matches[0]!;
    expect(matchPar(term, cases[0]!.pattern)!.get(0)!.sends.length).toBe(4999);
  });
});
