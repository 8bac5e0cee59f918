import { lookupCost } from "../expression/expressionCosts.js";
import { type Method, methodNotDefined } from "./Method.js";
import { findKey } from "./mapEntries.js";

/** `getOrElse(k, d)` of a map; the default is always evaluated. @spec 21 §6.3 */
export const getOrElse: Method = {
  arity: 2,
  run(evaluator, target, args) {
    const base = evaluator.single(target);
    const key = evaluator.par(args[0]!);
    const otherwise = evaluator.par(args[1]!);
    evaluator.phlo.charge(lookupCost);
    if (base.kind !== "EMap") throw methodNotDefined("getOrElse", base);
    return base.kvs[findKey(base.kvs, key)]?.value ?? otherwise;
  },
};
