import { EList, parOfExpr } from "@vedette/terms";
import { type Method, methodNotDefined } from "./Method.js";

/**
 * `take(n)` of a list.
 *
 * Quirk 22 §4.3: the charge is `n` as it is, so that a negative one gives phlo back.
 *
 * @spec 21 §6.3
 */
export const take: Method = {
  arity: 1,
  run(evaluator, target, args) {
    const base = evaluator.single(target);
    const count = evaluator.int(args[0]!);
    evaluator.phlo.charge(count);
    if (base.kind !== "EList") throw methodNotDefined("take", base);
    const items = base.ps.slice(0, Math.max(count, 0));
    return parOfExpr(new EList(items, base.locallyFree, base.connectiveUsed, base.remainder));
  },
};
