import {
  compareParFields,
  type EMap,
  type ESet,
  type Expr,
  emptyBitSet,
  equalExpr,
  exprConnectiveUsed,
  exprIndices,
  f1r3nodeTerms,
  Par,
  type Var,
} from "@vedette/terms";
import { exprHash, matchableOperators } from "../../match/matchStraight.js";
import { entryKind, parKind } from "./elementKinds.js";
import type { F1r3nodeKind, F1r3nodeMatching } from "./F1r3nodeMatching.js";

/** Expressions. @spec 22 §1.9, 61 §6 */
export const exprKind: F1r3nodeKind<Expr> = {
  isConcrete: (pattern) => !exprConnectiveUsed(pattern),
  isClosed: (target) => exprIndices(target, 0).length === 0,
  equal: equalExpr,
  hashOf: exprHash,
  compare: (left, right) => compareParFields(Par.of({ exprs: [left] }), Par.of({ exprs: [right] })),
  match: matchExpr,
};

function matchExpr(matching: F1r3nodeMatching, target: Expr, pattern: Expr): boolean {
  switch (pattern.kind) {
    case "EList": {
      if (target.kind !== "EList") return false;
      const left = matching.fold(target.ps, pattern.ps, pattern.remainder);
      if (left === undefined) return false;
      matching.setRemainder(pattern.remainder, left);
      return true;
    }
    case "ETuple":
      return target.kind === "ETuple" && matching.fold(target.ps, pattern.ps, undefined) !== undefined;
    case "ESet":
      return target.kind === "ESet" && matchSet(matching, target, pattern);
    case "EMap":
      return target.kind === "EMap" && matchMap(matching, target, pattern);
    case "EVar":
      return equalExpr(target, pattern);
    case "EUnary":
      return target.kind === "EUnary" && target.operator === pattern.operator && matching.par(target.p, pattern.p);
    case "EBinary":
      return (
        target.kind === "EBinary" &&
        target.operator === pattern.operator &&
        matchableOperators.has(pattern.operator) &&
        matching.par(target.p1, pattern.p1) &&
        matching.par(target.p2, pattern.p2)
      );
    default:
      // Quirk 22 §1.9: other operators, methods and `matches` never match a pattern that holds a variable.
      return false;
  }
}

function matchSet(matching: F1r3nodeMatching, target: ESet, pattern: ESet): boolean {
  const merge = (value: Par, left: readonly Par[]): Par =>
    withExpr(value, f1r3nodeTerms.makeSet(left, emptyBitSet, false, undefined));
  return matching.list(parKind, target.ps, pattern.ps, { ...remainderOf(pattern.remainder), merge });
}

function matchMap(matching: F1r3nodeMatching, target: EMap, pattern: EMap): boolean {
  const merge = (value: Par, left: EMap["kvs"]): Par =>
    withExpr(value, f1r3nodeTerms.makeMap(left, emptyBitSet, false, undefined));
  return matching.list(entryKind, target.kvs, pattern.kvs, { ...remainderOf(pattern.remainder), merge });
}

function withExpr(value: Par, expr: Expr): Par {
  return Par.of({ ...value, exprs: [expr] });
}

function remainderOf(remainder: Var | undefined): { readonly level: number | undefined; readonly wildcard: boolean } {
  return {
    level: remainder?.kind === "FreeVar" ? remainder.index : undefined,
    wildcard: remainder?.kind === "Wildcard",
  };
}
