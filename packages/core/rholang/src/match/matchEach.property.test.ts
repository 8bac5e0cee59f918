import {
  ConnectiveAnd,
  EList,
  EMap,
  ESet,
  ETuple,
  EVar,
  type Expr,
  emptyBitSet,
  freeVar,
  Par,
  parOfExpr,
  printPar,
  Send,
  sortPar,
  wildcard,
} from "@vedette/terms";
import { anyData } from "@vedette/terms/testing";
import { runs } from "@vedette/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { matchPar } from "./matchPar.js";

type Hole = (level: number) => Par;

const variable: Hole = (level) => parOfExpr(new EVar(freeVar(level)));

/** The same to a match, but a connective: `x /\ _`. */
const conjunction: Hole = (level) =>
  Par.of({
    connectives: [new ConnectiveAnd([variable(level), parOfExpr(new EVar(wildcard))])],
    connectiveUsed: true,
  });

/** Makes a pattern of a term: the terms at the chosen places become holes. */
class Puncher {
  private places = 0;
  private level = 0;

  constructor(
    private readonly isHole: (place: number) => boolean,
    private readonly hole: Hole,
  ) {}

  par(par: Par): Par {
    this.places += 1;
    if (this.isHole(this.places)) return this.hole(this.level++);
    const exprs = par.exprs.map((expr) => this.expr(expr));
    const sends = par.sends.map((send) => this.send(send));
    return Par.of({ ...par, exprs, sends, connectiveUsed: exprs.some(isUsed) || sends.some(isUsed) });
  }

  private send(send: Send): Send {
    const chan = this.par(send.chan);
    const data = send.data.map((one) => this.par(one));
    return new Send(chan, data, send.persistent, emptyBitSet, [chan, ...data].some(isUsed));
  }

  private expr(expr: Expr): Expr {
    switch (expr.kind) {
      case "EList": {
        const ps = expr.ps.map((item) => this.par(item));
        return new EList(ps, emptyBitSet, ps.some(isUsed), undefined);
      }
      case "ETuple": {
        const ps = expr.ps.map((item) => this.par(item));
        return new ETuple(ps, emptyBitSet, ps.some(isUsed));
      }
      case "ESet": {
        const ps = expr.ps.map((item) => this.par(item));
        return new ESet(ps, emptyBitSet, ps.some(isUsed), undefined);
      }
      case "EMap": {
        const kvs = expr.kvs.map(({ key, value }) => ({ key: this.par(key), value: this.par(value) }));
        return new EMap(
          kvs,
          emptyBitSet,
          kvs.some(({ key, value }) => isUsed(key) || isUsed(value)),
          undefined,
        );
      }
      default:
        return expr;
    }
  }
}

function isUsed(part: object): boolean {
  return "connectiveUsed" in part && part.connectiveUsed === true;
}

/** Returns the value of each variable, printed. */
function captured(target: Par, pattern: Par): Record<string, string> | null {
  const bindings = matchPar(target, pattern);
  return bindings === undefined ? null : Object.fromEntries([...bindings].map(([at, par]) => [at, printPar(par)]));
}

const anyProcess = fc
  .array(fc.tuple(anyData(1), fc.array(anyData(2), { maxLength: 3 })), { maxLength: 4 })
  .map((sends) => Par.of({ sends: sends.map(([chan, data]) => new Send(chan, data, false, emptyBitSet, false)) }));

test("a match with alternatives finds first what a match straight on finds", () => {
  const places = fc.uniqueArray(fc.integer({ min: 1, max: 25 }), { maxLength: 6 });
  let matchedCount = 0;
  fc.assert(
    fc.property(fc.oneof(anyData(4), anyProcess), places, (term, chosen) => {
      const target = sortPar(term);
      const isHole = (place: number): boolean => chosen.includes(place);
      const straight = captured(target, new Puncher(isHole, variable).par(target));
      expect(captured(target, new Puncher(isHole, conjunction).par(target))).toEqual(straight);
      if (straight !== null) matchedCount += 1;
    }),
    { numRuns: runs(200, 2_000) },
  );
  expect(matchedCount).toBeGreaterThan(runs(50, 500));
});
