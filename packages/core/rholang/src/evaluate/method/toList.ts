import { EList, type EMap, type ESet, type ETuple, type Expr, emptyBitSet, type Par, parOfExpr } from "@vedette/terms";
import { entryTuple } from "./entryTuple.js";
import { type Method, methodNotDefined } from "./Method.js";
import { madeOnce } from "./madeOnce.js";

/** `toList()` of a set, a map (of pairs) or a tuple, at the cost of its size; a list stays as it is. @spec 21 §6.3 */
export const toList: Method = {
  arity: 0,
  run(evaluator, target) {
    const base = evaluator.single(target);
    if (base.kind === "EList") return parOfExpr(base);
    evaluator.phlo.charge(itemCount(base));
    return base.kind === "EMap" ? pairList(base) : parOfExpr(listOf((base as ESet | ETuple).ps));
  },
};

function itemCount(base: Expr): number {
  if (base.kind === "ESet" || base.kind === "ETuple") return base.ps.length;
  if (base.kind === "EMap") return base.kvs.length;
  throw methodNotDefined("toList", base);
}

function listOf(items: readonly Par[]): EList {
  return new EList(items, emptyBitSet, false, undefined);
}

const pairList = madeOnce((map: EMap) => parOfExpr(listOf(map.kvs.map(entryTuple))));
