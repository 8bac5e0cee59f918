import { type EMap, parOfExpr } from "@vedette/terms";
import { keysCost } from "../expression/expressionCosts.js";
import { type Method, methodNotDefined } from "./Method.js";
import { madeOnce } from "./madeOnce.js";
import { setOf } from "./setElements.js";

/** `keys()` of a map, as a set. @spec 21 §6.3 */
export const keys: Method = {
  arity: 0,
  run(evaluator, target) {
    const base = evaluator.single(target);
    evaluator.phlo.charge(keysCost);
    if (base.kind !== "EMap") throw methodNotDefined("keys", base);
    return keySet(base);
  },
};

const keySet = madeOnce((map: EMap) => parOfExpr(setOf(map.kvs.map((pair) => pair.key))));
