import { anyConnectiveUsed, type EList, type EMap, makeSet, parOfExpr, unionOfLocallyFree } from "@vedette/terms";
import { entryTuple } from "./entryTuple.js";
import { type Method, methodNotDefined } from "./Method.js";
import { madeOnce } from "./madeOnce.js";
import { setOf } from "./setElements.js";

/** `toSet()` of a list or a map (of pairs); a set stays as it is. @spec 21 §6.3 */
export const toSet: Method = {
  arity: 0,
  run(evaluator, target) {
    const base = evaluator.single(target);
    switch (base.kind) {
      case "ESet":
        return parOfExpr(base);
      case "EMap":
      case "EList":
        return setFrom(base);
      default:
        throw methodNotDefined("toSet", base);
    }
  },
};

const setFrom = madeOnce((base: EMap | EList) => {
  if (base.kind === "EMap") return parOfExpr(setOf(base.kvs.map(entryTuple)));
  const used = anyConnectiveUsed(base.ps) || base.remainder !== undefined;
  return parOfExpr(makeSet(base.ps, unionOfLocallyFree(base.ps), used, base.remainder));
});
