import { decodePar, encodePar, type Par, sortPar } from "@vedette/terms";
import { anyData, anyTerm } from "@vedette/terms/testing";
import { runs } from "@vedette/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { InterpreterError } from "../../InterpreterError.js";
import { Environment } from "../Environment.js";
import { substituteNoSort } from "./substitute.js";

/** Bytes of the result, or the error's text. */
function outcome(term: Par, depth: number, environment: Environment): Uint8Array | string {
  try {
    return encodePar(substituteNoSort(term, depth, environment));
  } catch (error) {
    if (error instanceof InterpreterError) return error.message;
    throw error;
  }
}

const anyEnvironment = fc
  .tuple(fc.array(anyData(1), { maxLength: 4 }), fc.nat(80))
  .map(([values, shift]) => Environment.of(values).shifted(shift));

test("a term that was seen before is substituted as one that is new", () => {
  fc.assert(
    fc.property(anyTerm(), fc.nat(2), fc.array(anyEnvironment, { minLength: 2, maxLength: 4 }), (any, depth, all) => {
      // The wire form drops a Nil together with its free variables; what comes out of it is stable.
      const term = decodePar(encodePar(any));
      for (const environment of all) {
        const fresh = decodePar(encodePar(term));
        expect(outcome(term, depth, environment)).toEqual(outcome(fresh, depth, environment));
      }
    }),
    { numRuns: runs(50, 250) },
  );
});

test("closed data in canonical order stays the same object", () => {
  fc.assert(
    fc.property(anyData(), anyEnvironment, (data, environment) => {
      const term = substituteNoSort(sortPar(data), 0, environment);
      const fresh = decodePar(encodePar(term));
      for (const one of [fresh, fresh, term])
        for (const depth of [0, 1]) expect(substituteNoSort(one, depth, environment)).toBe(one);
    }),
  );
});
