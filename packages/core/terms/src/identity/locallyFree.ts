import { type BitSet, emptyBitSet, singleBit, unionBits } from "../model/BitSet.js";
import type { Expr, Par } from "../model/Par.js";

/** Variables that occur free in an expression at a depth of patterns. @spec 20 §6.2, 21 §3.2, 22 §1.3 */
export function exprLocallyFree(expr: Expr, depth: number): BitSet {
  switch (expr.kind) {
    case "EVar":
      // Quirk 20 §6.2: inside a pattern a bound variable does not count.
      return depth === 0 && expr.v.kind === "BoundVar" ? singleBit(expr.v.index) : emptyBitSet;
    case "EList":
    case "ETuple":
    case "ESet":
    case "EMap":
    case "EMethod":
    case "EPathMap":
    case "EZipper":
      return expr.locallyFree;
    case "EUnary":
      return expr.p.locallyFree;
    case "EBinary":
      return unionBits(expr.p1.locallyFree, expr.p2.locallyFree);
    case "EMatches":
      return unionBits(expr.target.locallyFree, expr.pattern.locallyFree);
    default:
      return emptyBitSet;
  }
}

/** Whether an expression is or holds a pattern. @spec 20 §6.2, 21 §3.2, 22 §1.3 */
export function exprConnectiveUsed(expr: Expr): boolean {
  switch (expr.kind) {
    case "EVar":
      return expr.v.kind === "FreeVar" || expr.v.kind === "Wildcard";
    case "EList":
    case "ETuple":
    case "ESet":
    case "EMap":
    case "EMethod":
    case "EPathMap":
    case "EZipper":
      return expr.connectiveUsed;
    case "EUnary":
      return expr.p.connectiveUsed;
    case "EBinary":
      return expr.p1.connectiveUsed || expr.p2.connectiveUsed;
    case "EMatches":
      // Quirk 20 §6.2: the pattern does not count.
      return expr.target.connectiveUsed;
    default:
      return false;
  }
}

/** Variables that occur free in any of these terms. @spec 20 §6.2 */
export function unionOfLocallyFree(pars: readonly Par[]): BitSet {
  let union = emptyBitSet;
  for (const par of pars) union = unionBits(union, par.locallyFree);
  return union;
}

/** Whether any of these terms is or holds a pattern. @spec 20 §6.2 */
export function anyConnectiveUsed(pars: readonly Par[]): boolean {
  for (const par of pars) if (par.connectiveUsed) return true;
  return false;
}
