import { ESet, type Par, parOfExpr, rnodeAtoms, unitedElements } from "@vedette/terms";
import { unionCost } from "../expression/expressionCosts.js";
import { joinedFlags } from "./flags.js";
import { type Method, methodNotDefined } from "./Method.js";
import { flaggedMap, joinedEntries } from "./mapEntries.js";

/** `union(x)` of two sets or two maps; in maps the argument's values win. @spec 21 §6.3 */
export const union: Method = {
  arity: 1,
  run(evaluator, target, args): Par {
    const base = evaluator.single(target);
    const other = evaluator.single(args[0]!);
    if (base.kind === "ESet" && other.kind === "ESet") {
      evaluator.phlo.charge(unionCost(other.ps.length));
      const { locallyFree, connectiveUsed } = joinedFlags(base, other);
      return parOfExpr(new ESet(unitedElements(base.ps, other.ps, rnodeAtoms), locallyFree, connectiveUsed, undefined));
    }
    if (base.kind === "EMap" && other.kind === "EMap") {
      evaluator.phlo.charge(unionCost(other.kvs.length));
      return parOfExpr(flaggedMap(joinedEntries(base, other), joinedFlags(base, other)));
    }
    // The text names the target's type even when the argument is to blame.
    throw methodNotDefined("union", base);
  },
};
