import { exprConnectiveUsed } from "../identity/locallyFree.js";
import { type BitSet, emptyBitSet } from "../model/BitSet.js";
import { type Expr, none, Par } from "../model/Par.js";
import { oneIndex, uniteIndices } from "./indexBytes.js";

/**
 * The set of free variables of an expression at a depth of patterns, as f1r3node has it.
 *
 * @spec 20 §6.2, 61 §5
 */
export function exprIndices(expr: Expr, depth: number): BitSet {
  switch (expr.kind) {
    case "EVar":
      // Quirk 20 §6.2: inside a pattern a bound variable does not count.
      return depth === 0 && expr.v.kind === "BoundVar" ? oneIndex(expr.v.index) : emptyBitSet;
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
      return uniteIndices(expr.p1.locallyFree, expr.p2.locallyFree);
    case "EMatches":
      // Quirk 61 §5: here the pattern does not count.
      return expr.target.locallyFree;
    default:
      return emptyBitSet;
  }
}

/** A Par of one expression. @param depth of patterns @spec 61 §5 */
export function f1r3nodeParOfExpr(expr: Expr, depth: number): Par {
  const locallyFree = exprIndices(expr, depth);
  return new Par(none, none, none, [expr], none, none, none, none, locallyFree, exprConnectiveUsed(expr));
}

/** The union of the sets of these terms. @spec 61 §5 */
export function uniteIndicesOf(pars: readonly Par[]): BitSet {
  let union = emptyBitSet;
  for (const par of pars) union = uniteIndices(union, par.locallyFree);
  return union;
}
