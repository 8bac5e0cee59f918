import { parOfExpr } from "@vedette/terms";
import { additionCost } from "../expression/expressionCosts.js";
import { joinedFlags } from "./flags.js";
import { type Method, methodNotDefined } from "./Method.js";
import { elementsWith, flaggedSet } from "./setElements.js";

/** `add(x)` of a set. @spec 21 §6.3 */
export const add: Method = {
  arity: 1,
  run(evaluator, target, args) {
    const base = evaluator.single(target);
    const element = evaluator.par(args[0]!);
    evaluator.phlo.charge(additionCost);
    if (base.kind !== "ESet") throw methodNotDefined("add", base);
    return parOfExpr(flaggedSet(elementsWith(base, element), joinedFlags(base, element)));
  },
};
