import {
  type Connective,
  ConnectiveAnd,
  ConnectiveNot,
  ConnectiveOr,
  ConnectiveType,
  EVar,
  freeVar,
  GPrivate,
  Par,
  parOfExpr,
  wildcard,
} from "@vedette/terms";
import { anyData } from "@vedette/terms/testing";
import { runs } from "@vedette/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matchF1r3nodePar } from "../f1r3node/match/matchF1r3nodePar.js";
import { matchPar } from "./matchPar.js";

const beside = new GPrivate(new Uint8Array(32));
const variable = parOfExpr(new EVar(freeVar(0)));
const anything = parOfExpr(new EVar(wildcard));

const par = (connective: Connective): Par => Par.of({ connectives: [connective], connectiveUsed: true });

/** Connectives that have something to do with a process, and others. */
const connectivesOf = (target: Par, other: Par): readonly Connective[] => [
  new ConnectiveType("Int", true),
  new ConnectiveType("String", true),
  new ConnectiveAnd([variable, par(new ConnectiveType("Int", true))]),
  new ConnectiveAnd([target, variable]),
  new ConnectiveAnd([other, anything]),
  new ConnectiveOr([other, target]),
  new ConnectiveOr([variable, other]),
  new ConnectiveNot(target),
  new ConnectiveNot(other),
  new ConnectiveAnd([par(new ConnectiveNot(other)), par(new ConnectiveOr([target, other])), variable]),
];

describe.each([
  ["rnode", matchPar],
  ["f1r3node", matchF1r3nodePar],
] as const)("a connective that stands alone: %s", (_, match) => {
  test("takes what it takes beside a name that both have", () => {
    let matches = 0;
    const check = (data: readonly Par[], other: Par, isOther: boolean) => {
      const [exprs, sends] = [data.flatMap((one) => one.exprs), data.flatMap((one) => one.sends)];
      const target = isOther ? data[0]! : Par.of({ exprs, sends });
      for (const connective of connectivesOf(target, other)) {
        const alone = match(target, par(connective));
        const withName = match(
          Par.of({ ...target, unforgeables: [beside] }),
          Par.of({ ...par(connective), unforgeables: [beside] }),
        );
        expect(alone).toEqual(withName);
        if (alone !== undefined) matches += 1;
      }
    };
    const some = fc.array(
      anyData(2).filter(({ unforgeables }) => unforgeables.length === 0),
      { minLength: 1, maxLength: 3 },
    );
    fc.assert(fc.property(some, anyData(1), fc.boolean(), check), { numRuns: runs(100, 1_000) });
    expect(matches).toBeGreaterThan(runs(100, 1_000));
  });
});
