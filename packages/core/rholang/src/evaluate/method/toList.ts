import { EList, type Expr, emptyBitSet, type Par, parOfExpr } from "@vedette/terms";
import { entryTuple } from "./entryTuple.js";
import { type Method, methodNotDefined } from "./Method.js";

/** `toList()` of a set, a map (of pairs) or a tuple, whose size it costs; a list stays as it is. @spec 21 §6.3 */
export const toList: Method = {
  arity: 0,
  run(evaluator, target) {
    const base = evaluator.single(target);
    if (base.kind === "EList") return parOfExpr(base);
    const items = itemsOf(base);
    evaluator.phlo.charge(items.length);
    return parOfExpr(new EList(items, emptyBitSet, false, undefined));
  },
};

function itemsOf(base: Expr): readonly Par[] {
  switch (base.kind) {
    case "ESet":
    case "ETuple":
      return base.ps;
    case "EMap":
      return base.kvs.map(entryTuple);
    default:
      throw methodNotDefined("toList", base);
  }
}
