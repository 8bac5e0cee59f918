import { toHex } from "@vedette/crypto";
import {
  Bundle,
  boundVar,
  EVar,
  encodePar,
  freeVar,
  GInt,
  GPrivate,
  Par,
  parOfExpr,
  parOfUnforgeable,
  printPar,
  sizeOfPar,
} from "@vedette/terms";
import { describe, expect, test } from "vitest";
import { compile } from "../../compile.js";
import { Phlo } from "../../cost/Phlo.js";
import { InterpreterError } from "../../InterpreterError.js";
import { Environment } from "../Environment.js";
import { substitute, substituteAndCharge, substituteNoSort, substituteNoSortAndCharge } from "./substitute.js";

const number = (value: number): Par => parOfExpr(new GInt(BigInt(value)));
const variable = (index: number): Par => parOfExpr(new EVar(boundVar(index)));
const name = parOfUnforgeable(new GPrivate(Uint8Array.of(1)));

/** Returns the bytes of a term, without anything that is cached with it. */
const bytesOf = (par: Par): string => toHex(encodePar(par));

/** Returns the body of the outermost receive of a program; the test substitutes its variables. */
function bodyOf(source: string): Par {
  return compile(source).receives[0]!.body;
}

describe("variables at depth 0", () => {
  test("become their values, the same objects", () => {
    const value = number(7);
    expect(substitute(variable(0), 0, Environment.of([value]))).toBe(value);
    expect(substitute(variable(1), 0, Environment.of([value, number(8)]))).toBe(value);
  });

  test("stay where they have no value, and are no longer free outside", () => {
    const result = substitute(variable(3), 0, Environment.of([number(7)]));
    expect(result.exprs).toEqual([new EVar(boundVar(3))]);
  });

  test("stay below binders that they belong to", () => {
    const body = bodyOf("for (x <- @0) { new y in { y!(*x, *y) } }");
    const result = substitute(body, 0, Environment.of([name]));
    const send = result.news[0]!.p.sends[0]!;
    expect(send.data.map(bytesOf)).toEqual([name, variable(0)].map(bytesOf));
    expect(result.news[0]!.locallyFree).toEqual(new Uint8Array(0));
    expect(send.locallyFree).toEqual(Uint8Array.of(1));
  });

  test("that are replaced by processes leave these in the order of 21 §4.1", () => {
    const body = bodyOf("for (x, y <- @9) { *x | *y | @0!(0) }");
    const environment = Environment.of([compile("@1!(1)"), compile("@2!(2)")]);
    expect(substituteNoSort(body, 0, environment).sends.map((send) => printPar(send.chan))).toEqual(["0", "1", "2"]);
  });

  test("cannot be free or wildcards", () => {
    const free = parOfExpr(new EVar(freeVar(0)));
    expect(() => substitute(free, 0, Environment.empty)).toThrow("Illegal Substitution [Var(FreeVar(0))]");
    expect(substitute(free, 1, Environment.empty)).toBe(free);
  });
});

describe("patterns", () => {
  test("keep their variables; only references to variables outside are replaced", () => {
    const body = bodyOf("for (@x <- @0) { for (@{=x}, y <- @1) { Nil } }");
    const bind = body.receives[0]!.binds[0]!;
    const result = substitute(body, 0, Environment.of([number(7)])).receives[0]!.binds[0]!;
    expect(result.patterns[1]).toBe(bind.patterns[1]);
    expect(bytesOf(result.patterns[0]!)).toEqual(bytesOf(number(7)));
  });

  test("of matches inside a substituted term are no patterns to the substitution (21 §4.2)", () => {
    const body = bodyOf("for (@x <- @0) { @1!(x matches _) }");
    expect(() => substitute(body, 0, Environment.of([number(7)]))).toThrow("Illegal Substitution [Var(Wildcard(");
  });
});

describe("bundles", () => {
  test("right inside each other become one, with the flags of both", () => {
    const inner = Par.of({ bundles: [new Bundle(name, true, false)] });
    const outer = Par.of({ bundles: [new Bundle(variable(0), true, true)], locallyFree: Uint8Array.of(1) });
    expect(bytesOf(substitute(outer, 0, Environment.of([inner])))).toEqual(bytesOf(inner));
    const closed = Par.of({ bundles: [new Bundle(inner, false, true)] });
    const none = Par.of({ bundles: [new Bundle(name, false, false)] });
    expect(bytesOf(substitute(closed, 0, Environment.empty))).toEqual(bytesOf(none));
  });
});

describe("collections", () => {
  test("are made anew, so that what became equal collapses", () => {
    const body = bodyOf("for (@x, @y <- @0) { @1!(Set(x, y), {x: 1, y: 2}) }");
    const environment = Environment.of([number(5), number(5)]);
    const data = substitute(body, 0, environment).sends[0]!.data;
    expect(data.map((par) => printPar(par))).toEqual(["Set(5)", "{5 : 1}"]);
  });
});

describe("charges", () => {
  const environment = Environment.of([name]);

  test("are the size of the result", () => {
    const body = bodyOf("for (x <- @0) { x!(1) }");
    const phlo = new Phlo(1000n);
    const result = substituteAndCharge(body, 0, environment, phlo);
    expect(phlo.used).toBe(BigInt(sizeOfPar(result)));
    expect(encodePar(result).length).toBe(sizeOfPar(result));
  });

  test("are the size of the term as it was where the substitution fails", () => {
    const body = bodyOf("for (@x <- @0) { @1!(x matches _) }");
    const phlo = new Phlo(1000n);
    expect(() => substituteNoSortAndCharge(body, 0, environment, phlo)).toThrow(InterpreterError);
    expect(phlo.used).toBe(BigInt(sizeOfPar(body)));
  });

  test("that run out win over the failure", () => {
    const body = bodyOf("for (@x <- @0) { @1!(x matches _) }");
    expect(() => substituteAndCharge(body, 0, environment, new Phlo(1n))).toThrow("ran out of phlogistons");
  });
});

test("thousands of variables side by side are replaced quickly", () => {
  const count = 20_000;
  const source = `for (x <- @0) { ${Array.from({ length: count }, () => "*x").join(" | ")} }`;
  const body = bodyOf(source);
  expect(substituteNoSort(body, 0, Environment.of([compile("@1!(1)")])).sends.length).toBe(count);
});
