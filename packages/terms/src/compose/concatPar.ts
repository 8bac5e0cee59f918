import { exprConnectiveUsed, exprLocallyFree } from "../identity/locallyFree.js";
import { unionBits } from "../model/BitSet.js";
import type { Expr } from "../model/Expr.js";
import { isNil, none, Par } from "../model/Par.js";
import { checkPartCount } from "../model/TermLimitError.js";
import type { Unforgeable } from "../model/Unforgeable.js";

/**
 * The parallel composition `left ++ right`.
 *
 * Quirk 21 §3.2: in every list what comes from `right` stands before what comes from `left`.
 *
 * @spec 20 §6.2, 21 §3.2
 * @cost grows with the lists that both have; a list of one side alone is shared
 */
export function concatPar(left: Par, right: Par): Par {
  if (isNeutral(left)) return right;
  if (isNeutral(right)) return left;
  return new Par(
    joined(right.sends, left.sends),
    joined(right.receives, left.receives),
    joined(right.news, left.news),
    joined(right.exprs, left.exprs),
    joined(right.matches, left.matches),
    joined(right.unforgeables, left.unforgeables),
    joined(right.bundles, left.bundles),
    joined(right.connectives, left.connectives),
    unionBits(left.locallyFree, right.locallyFree),
    left.connectiveUsed || right.connectiveUsed,
  );
}

/** Whether a Par is Nil in its flags too: nothing comes of composing with it. */
export function isNeutral(par: Par): boolean {
  return !par.connectiveUsed && par.locallyFree.length === 0 && isNil(par);
}

function joined<Element>(first: readonly Element[], second: readonly Element[]): readonly Element[] {
  if (first.length === 0) return second;
  if (second.length === 0) return first;
  checkPartCount(first.length + second.length);
  return first.concat(second);
}

/** A Par of one expression. @param depth of patterns; terms made as names have 0. @spec 20 §6.2 */
export function parOfExpr(expr: Expr, depth = 0): Par {
  const locallyFree = exprLocallyFree(expr, depth);
  return new Par(none, none, none, [expr], none, none, none, none, locallyFree, exprConnectiveUsed(expr));
}

/** A Par of one unforgeable name. @spec 20 §5 */
export function parOfUnforgeable(unforgeable: Unforgeable): Par {
  return Par.of({ unforgeables: [unforgeable] });
}
