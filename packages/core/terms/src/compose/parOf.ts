import { exprConnectiveUsed, exprLocallyFree } from "../identity/locallyFree.js";
import { type Expr, none, Par } from "../model/Par.js";
import type { Unforgeable } from "../model/Unforgeable.js";

/** A Par of one expression. @param depth of patterns; terms made as names have 0. @spec 20 §6.2 */
export function parOfExpr(expr: Expr, depth = 0): Par {
  const locallyFree = exprLocallyFree(expr, depth);
  return new Par(none, none, none, [expr], none, none, none, none, locallyFree, exprConnectiveUsed(expr));
}

/** A Par of one unforgeable name. @spec 20 §5 */
export function parOfUnforgeable(unforgeable: Unforgeable): Par {
  return Par.of({ unforgeables: [unforgeable] });
}
