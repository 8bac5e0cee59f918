import { parOfExpr } from "@vedette/terms";
import { removalCost } from "../expression/expressionCosts.js";
import { type Method, methodNotDefined } from "./Method.js";
import { findElement, findKey, flaggedMap, flaggedSet, joinedFlags } from "./sortedCollection.js";

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
    if (base.kind === "ESet") {
      const place = findElement(base.ps, removed);
      const elements = place === -1 ? base.ps : base.ps.toSpliced(place, 1);
      return parOfExpr(flaggedSet(elements, joinedFlags(base, removed)));
    }
    if (base.kind === "EMap") {
      const place = findKey(base.kvs, removed);
      const pairs = place === -1 ? base.kvs : base.kvs.toSpliced(place, 1);
      return parOfExpr(flaggedMap(pairs, joinedFlags(base, removed)));
    }
    throw methodNotDefined("delete", base);
  },
};
