import { GBool, parOfExpr } from "@vedette/terms";
import { lookupCost } from "../expression/expressionCosts.js";
import { type Method, methodNotDefined } from "./Method.js";
import { findKey } from "./mapEntries.js";
import { findElement } from "./setElements.js";

/** `contains(x)` of a set, or of the keys of a map. @spec 21 §6.3 */
export const contains: Method = {
  arity: 1,
  run(evaluator, target, args) {
    const base = evaluator.single(target);
    const query = evaluator.par(args[0]!);
    evaluator.phlo.charge(lookupCost);
    if (base.kind === "ESet") return parOfExpr(new GBool(findElement(base.ps, query) !== -1));
    if (base.kind === "EMap") return parOfExpr(new GBool(findKey(base.kvs, query) !== -1));
    throw methodNotDefined("contains", base);
  },
};
