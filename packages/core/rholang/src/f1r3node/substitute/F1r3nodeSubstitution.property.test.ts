import { toHex } from "@vedette/crypto";
import { f1r3nodeTerms, GInt, Par } from "@vedette/terms";
import { anyData, anyTerm } from "@vedette/terms/testing";
import { runs } from "@vedette/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Environment } from "../../evaluate/Environment.js";
import { InterpreterError } from "../../InterpreterError.js";
import { f1r3nodeGrammar } from "../f1r3nodeGrammar.js";
import { F1r3nodeSubstitution } from "./F1r3nodeSubstitution.js";

/** A copy of which nothing is known. */
function fresh(par: Par): Par {
  return f1r3nodeTerms.decodePar(f1r3nodeTerms.encodePar(par));
}

/** Bytes of the result, or the error's text. */
function outcome(term: Par, depth: number, environment: Environment): string {
  try {
    return toHex(f1r3nodeTerms.encodePar(new F1r3nodeSubstitution(environment).par(term, depth, environment.shift)));
  } catch (error) {
    if (error instanceof InterpreterError) return error.message;
    throw error;
  }
}

const anyEnvironment = fc
  .tuple(fc.array(anyData(1), { maxLength: 4 }), fc.nat(80))
  .map(([values, shift]) => Environment.of(values.map(fresh)).shifted(shift));

test("a term that was seen before is substituted as one that is new", () => {
  fc.assert(
    fc.property(
      anyTerm(),
      fc.array(fc.tuple(fc.nat(2), anyEnvironment), { minLength: 2, maxLength: 4 }),
      (any, all) => {
        const term = fresh(any);
        for (const [depth, environment] of all)
          expect(outcome(term, depth, environment)).toEqual(outcome(fresh(any), depth, environment));
      },
    ),
    { numRuns: runs(150, 1_000) },
  );
});

test("what of a body has no value is the same object in each call", () => {
  const [receive] = f1r3nodeGrammar.compile("for (@x <- @0) { for (@y <- @1) { @2!(x, y, [1, Set(2)]) } }").receives;
  const dataFor = (value: bigint): readonly Par[] => {
    const environment = Environment.of([f1r3nodeTerms.sortPar(Par.of({ exprs: [new GInt(value)] }))]);
    const body = new F1r3nodeSubstitution(environment).par(receive!.body, 0, 0);
    return body.receives[0]!.body.sends[0]!.data;
  };
  const [one, other] = [dataFor(1n), dataFor(2n)];
  expect(one.map((par) => f1r3nodeTerms.printPar(par))).toEqual(["1", "x-1", "[1, Set(2)]"]);
  expect(other[0]).not.toBe(one[0]);
  expect(other.slice(1)).toEqual(one.slice(1));
  expect(other[1]).toBe(one[1]);
  expect(other[2]).toBe(one[2]);
});
