import { nil } from "@vedette/terms";
import { lookupCost } from "../expression/expressionCosts.js";
import { type Method, methodNotDefined } from "./Method.js";
import { findKey } from "./mapEntries.js";

/** `get(k)` of a map; Nil where the key is missing. @spec 21 §6.3 */
export const get: Method = {
  arity: 1,
  run(evaluator, target, args) {
    const base = evaluator.single(target);
    const key = evaluator.par(args[0]!);
    evaluator.phlo.charge(lookupCost);
    if (base.kind !== "EMap") throw methodNotDefined("get", base);
    return base.kvs[findKey(base.kvs, key)]?.value ?? nil;
  },
};
