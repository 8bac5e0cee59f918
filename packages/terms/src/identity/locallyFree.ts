import { type BitSet, emptyBitSet, singleBit, unionBits } from "../model/BitSet.js";
import type { Bundle } from "../model/Bundle.js";
import type { KeyValuePair } from "../model/Collection.js";
import type { Connective } from "../model/Connective.js";
import type { Expr } from "../model/Expr.js";
import type { MatchCase } from "../model/Match.js";
import type { New } from "../model/New.js";
import type { Par } from "../model/Par.js";
import type { ReceiveBind } from "../model/Receive.js";

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

/** Quirk 20 §6.2: of the connectives only `=x` of this very depth names a variable. @spec 20 §6.2, 22 §1.3 */
export function connectiveLocallyFree(connective: Connective, depth: number): BitSet {
  return connective.kind === "VarRef" && connective.depth === depth ? singleBit(connective.index) : emptyBitSet;
}

/** @spec 20 §6.2, 21 §3.2, 22 §1.3 */
export function connectiveUsedBy(connective: Connective): boolean {
  return connective.kind !== "VarRef" && connective.kind !== "EmptyConnective";
}

/** A New has no such field; its body's counts. @spec 22 §1.3 */
export function newConnectiveUsed(fresh: New): boolean {
  return fresh.p.connectiveUsed;
}

/** @spec 22 §1.3 */
export function bundleLocallyFree(bundle: Bundle): BitSet {
  return bundle.body.locallyFree;
}

/** @spec 22 §1.3 */
export function receiveBindLocallyFree(bind: ReceiveBind): BitSet {
  return unionBits(bind.source.locallyFree, unionOfLocallyFree(bind.patterns));
}

/** Quirk 22 §1.3: the patterns do not count. */
export function receiveBindConnectiveUsed(bind: ReceiveBind): boolean {
  return bind.source.connectiveUsed;
}

/** @spec 22 §1.3 */
export function matchCaseLocallyFree(one: MatchCase): BitSet {
  return unionBits(one.source.locallyFree, one.pattern.locallyFree);
}

/** Quirk 22 §1.3: the pattern does not count. */
export function matchCaseConnectiveUsed(one: MatchCase): boolean {
  return one.source.connectiveUsed;
}

/** @spec 22 §1.3 */
export function pairLocallyFree(pair: KeyValuePair): BitSet {
  return unionBits(pair.key.locallyFree, pair.value.locallyFree);
}

/** @spec 22 §1.3 */
export function pairConnectiveUsed(pair: KeyValuePair): boolean {
  return pair.key.connectiveUsed || pair.value.connectiveUsed;
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
