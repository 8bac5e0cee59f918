import { type EList, type ESet, type KeyValuePair, type Par, parOfExpr } from "@vedette/terms";
import { InterpreterError } from "../../InterpreterError.js";
import { type Method, methodNotDefined, singleExpr } from "./Method.js";
import { madeOnce } from "./madeOnce.js";
import { mapOf } from "./mapEntries.js";

/** `toMap()` of a set or a list of pairs, of which later ones win; a map stays as it is. @spec 21 §6.3 */
export const toMap: Method = {
  arity: 0,
  run(evaluator, target) {
    const base = evaluator.single(target);
    switch (base.kind) {
      case "EMap":
        return parOfExpr(base);
      case "ESet":
      case "EList":
        return mapFrom(base);
      default:
        throw methodNotDefined("toMap", base);
    }
  },
};

const mapFrom = madeOnce((base: ESet | EList) => parOfExpr(mapOf(base.ps.map(pairOf))));

function pairOf(item: Par): KeyValuePair {
  const tuple = singleExpr(item);
  if (tuple?.kind !== "ETuple" || tuple.ps.length !== 2)
    throw new InterpreterError({ class: "MethodNotDefined", method: "toMap", otherType: "types except List[(K,V)]" });
  return { key: tuple.ps[0]!, value: tuple.ps[1]! };
}
