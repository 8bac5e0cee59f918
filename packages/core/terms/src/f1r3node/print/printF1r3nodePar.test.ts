import { fromHex } from "@vedette/crypto";
import { readVectors } from "@vedette/testing";
import { describe, expect, test } from "vitest";
import { f1r3nodeTerms } from "../../form/f1r3nodeTerms.js";
import { GDouble } from "../../model/numbers.js";
import { EUnary, Match, MatchCase, nil, Par } from "../../model/Par.js";
import { sysAuthToken } from "../../model/Unforgeable.js";
import { PrintError } from "../../print/PrintError.js";
import { printF1r3nodePar } from "./printF1r3nodePar.js";

test("doubles have all their digits", () => {
  const shown = (value: number): string => {
    const view = new DataView(new ArrayBuffer(8));
    view.setFloat64(0, value);
    return printF1r3nodePar(Par.of({ exprs: [new GDouble(view.getBigUint64(0))] }));
  };
  expect([0.1, -0, 1e21, 1.5e-7, 2.5e-10, Number.NaN, -Infinity].map(shown)).toEqual([
    "0.1f64",
    "-0.0f64",
    "1000000000000000000000.0f64",
    "0.00000015f64",
    "0.00000000025f64",
    "NaNf64",
    "-inff64",
  ]);
});

test("a match's target cannot be printed; conditionals are left out", () => {
  const match = new Match(nil, [new MatchCase(nil, nil, 0)], new Uint8Array(0), false);
  expect(printF1r3nodePar(Par.of({ matches: [match] }))).toContain("match <unprintable: ");
  expect(printF1r3nodePar(Par.of({ unforgeables: [sysAuthToken] }))).toBe("GSysAuthTokenBody(GSysAuthToken)");
});

test("a term that is too deep is refused", () => {
  let par = nil;
  for (let i = 0; i < 100_000; i += 1) par = Par.of({ exprs: [new EUnary("ENot", par)] });
  expect(() => printF1r3nodePar(par)).toThrow(PrintError);
});

interface ParseVector {
  readonly id: string;
  readonly expect: { readonly bytes?: string; readonly printed?: string };
}

describe("f1r3node's terms", () => {
  test("have the recorded texts", () => {
    const differences: unknown[] = [];
    let compared = 0;
    for (const { id, expect } of readVectors<ParseVector>("f1r3node", "parse")) {
      if (expect.printed === undefined || expect.bytes === undefined) continue;
      compared += 1;
      const actual = printF1r3nodePar(f1r3nodeTerms.decodePar(fromHex(expect.bytes)));
      if (actual !== expect.printed) differences.push({ id, expected: expect.printed, actual });
    }
    expect(differences).toEqual([]);
    expect(compared).toBe(2275);
  });
});
