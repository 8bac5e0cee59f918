import type { EMap } from "../model/Collection.js";
import type { BinaryOperator, Expr } from "../model/Expr.js";
import { compareParLists, compareSorted } from "./compare.js";
import {
  compareFlags,
  compareLongs,
  compareRemainders,
  compareSignedBytes,
  compareTexts,
  compareVars,
} from "./compareAtoms.js";

const binaryRank: Readonly<Record<BinaryOperator, number>> = {
  EMult: 102,
  EDiv: 103,
  EPlus: 104,
  EMinus: 105,
  ELt: 106,
  ELte: 107,
  EGt: 108,
  EGte: 109,
  EEq: 110,
  ENeq: 111,
  EAnd: 113,
  EOr: 114,
  EPercentPercent: 119,
  EPlusPlus: 120,
  EMinusMinus: 121,
  EMod: 122,
};

/** The constant at the head of an expression's score. @spec 20 §9.2, §9.3 */
export function exprRank(expr: Expr): number {
  switch (expr.kind) {
    case "EVar":
      return 100;
    case "GInt":
      return 2;
    case "GString":
      return 3;
    case "GUri":
      return 4;
    case "GBool":
      return 1;
    case "GByteArray":
      return 116;
    case "EList":
      return 6;
    case "ETuple":
      return 7;
    case "ESet":
      return 8;
    case "EMap":
      return 9;
    case "EMethod":
      return 115;
    case "EBinary":
      return binaryRank[expr.operator];
    case "EUnary":
      return expr.operator === "ENeg" ? 101 : 112;
    case "EMatches":
      return 118;
    case "EmptyExpr":
      return 0;
  }
}

/** Order of two sorted expressions. @spec 20 §9.3 */
export function compareExprs(left: Expr, right: Expr): number {
  const byRank = exprRank(left) - exprRank(right);
  if (byRank !== 0) return byRank;
  switch (left.kind) {
    case "EVar":
      return compareVars(left.v, (right as typeof left).v);
    case "GInt":
      return compareLongs(left.value, (right as typeof left).value);
    case "GString":
    case "GUri":
      return compareTexts(left.value, (right as typeof left).value);
    case "GBool":
      // Quirk 20 §9.3: true comes before false.
      return compareFlags((right as typeof left).value, left.value);
    case "GByteArray":
      return compareSignedBytes(left.value, (right as typeof left).value);
    default:
      return compareCompounds(left, right);
  }
}

function compareCompounds(left: Expr, right: Expr): number {
  switch (left.kind) {
    case "EList":
    case "ESet": {
      const other = right as typeof left;
      return (
        compareRemainders(left.remainder, other.remainder) ||
        compareParLists(left.ps, other.ps) ||
        compareFlags(left.connectiveUsed, other.connectiveUsed)
      );
    }
    case "ETuple": {
      const other = right as typeof left;
      return compareParLists(left.ps, other.ps) || compareFlags(left.connectiveUsed, other.connectiveUsed);
    }
    case "EMap":
      return compareMaps(left, right as EMap);
    case "EMethod": {
      const other = right as typeof left;
      return (
        compareTexts(left.methodName, other.methodName) ||
        compareSorted(left.target, other.target) ||
        compareParLists(left.args, other.args) ||
        compareFlags(left.connectiveUsed, other.connectiveUsed)
      );
    }
    case "EBinary":
      return compareSorted(left.p1, (right as typeof left).p1) || compareSorted(left.p2, (right as typeof left).p2);
    case "EUnary":
      return compareSorted(left.p, (right as typeof left).p);
    case "EMatches": {
      const other = right as typeof left;
      return compareSorted(left.target, other.target) || compareSorted(left.pattern, other.pattern);
    }
    default:
      return 0;
  }
}

/** Quirk 20 §9.3: the values of a map do not count. */
function compareMaps(left: EMap, right: EMap): number {
  const byRemainder = compareRemainders(left.remainder, right.remainder);
  if (byRemainder !== 0) return byRemainder;
  const length = Math.min(left.kvs.length, right.kvs.length);
  for (let i = 0; i < length; i += 1) {
    const order = compareSorted(left.kvs[i]!.key, right.kvs[i]!.key);
    if (order !== 0) return order;
  }
  return left.kvs.length - right.kvs.length || compareFlags(left.connectiveUsed, right.connectiveUsed);
}
