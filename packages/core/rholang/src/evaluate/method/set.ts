import { parOfExpr } from "@vedette/terms";
import { additionCost } from "../expression/expressionCosts.js";
import { type Method, methodNotDefined } from "./Method.js";
import { entriesWith, mapOfSorted } from "./mapEntries.js";

/** `set(k, v)` of a map. @spec 21 §6.3 */
export const set: Method = {
  arity: 2,
  run(evaluator, target, args) {
    const base = evaluator.single(target);
    const key = evaluator.par(args[0]!);
    const value = evaluator.par(args[1]!);
    evaluator.phlo.charge(additionCost);
    if (base.kind !== "EMap") throw methodNotDefined("set", base);
    return parOfExpr(mapOfSorted(entriesWith(base, key, value)));
  },
};
