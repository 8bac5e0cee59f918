import type { EMap, ESet } from "../model/Collection.js";
import { EBinary, EList, EMatches, EMethod, ETuple, EUnary, type Expr } from "../model/Expr.js";
import { makeMap } from "./makeMap.js";
import { makeSet } from "./makeSet.js";
import { sortEach, sortPar } from "./sortPar.js";

/** The canonical form of an expression; the same object if it is sorted. @spec 20 §9, §9.6 */
export function sortExpr(expr: Expr): Expr {
  switch (expr.kind) {
    case "EList": {
      const ps = sortEach(expr.ps);
      return ps === expr.ps ? expr : new EList(ps, expr.locallyFree, expr.connectiveUsed, expr.remainder);
    }
    case "ETuple": {
      const ps = sortEach(expr.ps);
      return ps === expr.ps ? expr : new ETuple(ps, expr.locallyFree, expr.connectiveUsed);
    }
    case "ESet":
      return sortSet(expr);
    case "EMap":
      return sortMap(expr);
    case "EMethod": {
      const target = sortPar(expr.target);
      const args = sortEach(expr.args);
      if (target === expr.target && args === expr.args) return expr;
      return new EMethod(expr.methodName, target, args, expr.locallyFree, expr.connectiveUsed);
    }
    case "EBinary": {
      const p1 = sortPar(expr.p1);
      const p2 = sortPar(expr.p2);
      return p1 === expr.p1 && p2 === expr.p2 ? expr : new EBinary(expr.operator, p1, p2);
    }
    case "EUnary": {
      const p = sortPar(expr.p);
      return p === expr.p ? expr : new EUnary(expr.operator, p);
    }
    case "EMatches": {
      const target = sortPar(expr.target);
      const pattern = sortPar(expr.pattern);
      return target === expr.target && pattern === expr.pattern ? expr : new EMatches(target, pattern);
    }
    default:
      return expr;
  }
}

/** The set rebuilt from its sorted elements, which may turn out equal only now. @spec 20 §9.6 */
function sortSet(set: ESet): ESet {
  const rebuilt = makeSet(set.ps, set.locallyFree, set.connectiveUsed, set.remainder);
  if (rebuilt.ps.length !== set.ps.length) return rebuilt;
  for (let i = 0; i < set.ps.length; i += 1) if (rebuilt.ps[i] !== set.ps[i]) return rebuilt;
  return set;
}

/** The map rebuilt from its sorted entries. @spec 20 §9.6 */
function sortMap(map: EMap): EMap {
  const rebuilt = makeMap(map.kvs, map.locallyFree, map.connectiveUsed, map.remainder);
  if (rebuilt.kvs.length !== map.kvs.length) return rebuilt;
  for (let i = 0; i < map.kvs.length; i += 1) {
    const pair = map.kvs[i]!;
    const other = rebuilt.kvs[i]!;
    if (pair.key !== other.key || pair.value !== other.value) return rebuilt;
  }
  return map;
}
