import { GInt, type Par, parOfExpr } from "@vedette/terms";
import { reduceError } from "../../InterpreterError.js";
import { nthCost } from "../expression/expressionCosts.js";
import type { Method } from "./Method.js";

/** `nth(i)` of a list, a tuple or a byte array. The index is evaluated before the target. @spec 21 §6.3 */
export const nth: Method = {
  arity: 1,
  run(evaluator, target, args) {
    evaluator.phlo.charge(nthCost);
    const index = evaluator.int(args[0]!);
    const base = evaluator.single(target);
    switch (base.kind) {
      case "EList":
      case "ETuple":
        return base.ps[index] ?? outOfBound(index);
      case "GByteArray": {
        const byte = base.value[index];
        return byte === undefined ? outOfBound(index) : parOfExpr(new GInt(BigInt(byte)));
      }
      default:
        throw reduceError("Error: nth applied to something that wasn't a list or tuple.");
    }
  },
};

function outOfBound(index: number): Par {
  throw reduceError(`Error: index out of bound: ${index}`);
}
