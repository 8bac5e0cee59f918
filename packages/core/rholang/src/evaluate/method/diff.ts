import { elementsWithoutOthers, parOfExpr, rnodeAtoms } from "@vedette/terms";
import { diffCost } from "../expression/expressionCosts.js";
import { type Method, methodNotDefined } from "./Method.js";
import { entriesWithoutKeys, mapOfSorted } from "./mapEntries.js";
import { findElement, setOf } from "./setElements.js";

/** `diff(x)`: without the argument's elements or keys. @spec 21 §6.3 */
export const diff: Method = {
  arity: 1,
  run(evaluator, target, args) {
    const base = evaluator.single(target);
    const other = evaluator.single(args[0]!);
    if (base.kind === "ESet" && other.kind === "ESet") {
      evaluator.phlo.charge(diffCost(other.ps.length));
      const left = elementsWithoutOthers(base.ps, other.ps, rnodeAtoms);
      return parOfExpr(setOf(left ?? base.ps.filter((element) => findElement(other.ps, element) === -1)));
    }
    if (base.kind === "EMap" && other.kind === "EMap") {
      evaluator.phlo.charge(diffCost(other.kvs.length));
      return parOfExpr(mapOfSorted(entriesWithoutKeys(base, other)));
    }
    // The text names the target's type even when the argument is to blame.
    throw methodNotDefined("diff", base);
  },
};
