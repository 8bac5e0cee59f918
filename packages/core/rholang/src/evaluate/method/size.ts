import { GInt, parOfExpr } from "@vedette/terms";
import { type Method, methodNotDefined } from "./Method.js";

/** `size()` of a map or a set, which is also its cost. @spec 21 §6.3 */
export const size: Method = {
  arity: 0,
  run(evaluator, target) {
    const base = evaluator.single(target);
    if (base.kind !== "EMap" && base.kind !== "ESet") throw methodNotDefined("size", base);
    const count = base.kind === "EMap" ? base.kvs.length : base.ps.length;
    evaluator.phlo.charge(count);
    return parOfExpr(new GInt(BigInt(count)));
  },
};
