import { parOfExpr } from "@vedette/terms";
import { removalCost } from "../expression/expressionCosts.js";
import { joinedFlags } from "./flags.js";
import { type Method, methodNotDefined } from "./Method.js";
import { entriesWithoutKey, flaggedMap } from "./mapEntries.js";
import { elementsWithout, flaggedSet } from "./setElements.js";

/**
 * `delete(x)` of a set or, by its key, of a map.
 *
 * Quirk 21 §6.3: the flags of what was removed are joined to those of the result.
 *
 * @spec 21 §6.3
 */
export const deletion: Method = {
  arity: 1,
  run(evaluator, target, args) {
    const base = evaluator.single(target);
    const removed = evaluator.par(args[0]!);
    evaluator.phlo.charge(removalCost);
    if (base.kind === "ESet") return parOfExpr(flaggedSet(elementsWithout(base, removed), joinedFlags(base, removed)));
    if (base.kind === "EMap") {
      return parOfExpr(flaggedMap(entriesWithoutKey(base, removed), joinedFlags(base, removed)));
    }
    throw methodNotDefined("delete", base);
  },
};
