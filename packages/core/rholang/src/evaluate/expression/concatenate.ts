import { concatBytes } from "@vedette/crypto";
import {
  checkPartCount,
  checkTermSize,
  checkTextLength,
  EList,
  type Expr,
  GByteArray,
  GString,
  type Par,
  parOfExpr,
  unionBits,
} from "@vedette/terms";
import type { Evaluator } from "./Evaluator.js";
import { byteArrayAppendCost, opCallCost } from "./expressionCosts.js";
import { operatorExpected, operatorNotDefined } from "./operatorError.js";

/** `++`. @spec 21 §5.3, 22 §4.3 */
export function concatenate(evaluator: Evaluator, left: Par, right: Par): Expr {
  const { phlo } = evaluator;
  phlo.charge(opCallCost);
  const one = evaluator.single(left);
  const other = evaluator.single(right);
  switch (one.kind) {
    case "GString":
      if (other.kind !== "GString") throw operatorExpected("++", "String", other);
      phlo.charge(one.value.length + other.value.length);
      checkTextLength(one.value.length + other.value.length);
      return new GString(one.value + other.value);
    case "GByteArray":
      // Quirk 21 §5.3: here alone a wrong right operand is blamed on the left one.
      if (other.kind !== "GByteArray") throw operatorNotDefined("++", one);
      phlo.charge(byteArrayAppendCost(one.value.length));
      // Quirk 22 §4.3: this costs next to nothing, whatever the length.
      checkTermSize(one.value.length + other.value.length);
      return new GByteArray(concatBytes(one.value, other.value));
    case "EList":
      if (other.kind !== "EList") throw operatorExpected("++", "List", other);
      phlo.charge(other.ps.length);
      checkPartCount(one.ps.length + other.ps.length);
      return joinedLists(one, other);
    case "EMap":
      if (other.kind !== "EMap") throw operatorExpected("++", "Map", other);
      return union(evaluator, one, other);
    case "ESet":
      if (other.kind !== "ESet") throw operatorExpected("++", "Set", other);
      return union(evaluator, one, other);
    default:
      throw operatorNotDefined("++", one);
  }
}

/** Quirk 21 §5.3: remainders are dropped. */
function joinedLists(one: EList, other: EList): EList {
  const used = one.connectiveUsed || other.connectiveUsed;
  return new EList(one.ps.concat(other.ps), unionBits(one.locallyFree, other.locallyFree), used, undefined);
}

function union(evaluator: Evaluator, one: Expr, other: Expr): Expr {
  return evaluator.single(evaluator.callMethod("union", parOfExpr(one), [parOfExpr(other)]));
}
