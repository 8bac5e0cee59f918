import type { Bundle, Expr, KeyValuePair } from "@vedette/terms";

/** Whether an element mentions no variable that is bound around it: only such may be captured. @spec 22 §1.3 */
export function isClosed(element: { readonly locallyFree: Uint8Array }): boolean {
  return element.locallyFree.length === 0;
}

/** The same of a bundle, which has no flags of its own. @spec 22 §1.3 */
export function isClosedBundle(bundle: Bundle): boolean {
  return bundle.body.locallyFree.length === 0;
}

/** The same of a map's entry. @spec 22 §1.3 */
export function isClosedEntry(entry: KeyValuePair): boolean {
  return entry.key.locallyFree.length === 0 && entry.value.locallyFree.length === 0;
}

/** The same of an expression. @spec 22 §1.3 */
export function isClosedExpr(expr: Expr): boolean {
  switch (expr.kind) {
    case "EList":
    case "ETuple":
    case "ESet":
    case "EMap":
    case "EMethod":
      return expr.locallyFree.length === 0;
    case "EVar":
      return expr.v.kind !== "BoundVar";
    case "EUnary":
      return expr.p.locallyFree.length === 0;
    case "EBinary":
      return expr.p1.locallyFree.length === 0 && expr.p2.locallyFree.length === 0;
    case "EMatches":
      return expr.target.locallyFree.length === 0 && expr.pattern.locallyFree.length === 0;
    default:
      return true;
  }
}
