import { type Expr, GInt, parOfExpr } from "@vedette/terms";
import { lengthCost } from "../expression/expressionCosts.js";
import { type Method, methodNotDefined } from "./Method.js";

/** `length()` of a string (in UTF-16 units), a byte array or a list. @spec 21 §6.3 */
export const length: Method = {
  arity: 0,
  run(evaluator, target) {
    const base = evaluator.single(target);
    evaluator.phlo.charge(lengthCost);
    return parOfExpr(new GInt(BigInt(lengthOf(base))));
  },
};

function lengthOf(base: Expr): number {
  switch (base.kind) {
    case "GString":
    case "GByteArray":
      return base.value.length;
    case "EList":
      return base.ps.length;
    default:
      throw methodNotDefined("length", base);
  }
}
