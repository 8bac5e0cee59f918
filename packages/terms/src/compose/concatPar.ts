import {
  connectiveLocallyFree,
  connectiveUsedBy,
  exprConnectiveUsed,
  exprLocallyFree,
} from "../identity/locallyFree.js";
import { unionBits } from "../model/BitSet.js";
import type { Bundle } from "../model/Bundle.js";
import type { Connective } from "../model/Connective.js";
import type { Expr } from "../model/Expr.js";
import type { Match } from "../model/Match.js";
import type { New } from "../model/New.js";
import { isNil, none, Par } from "../model/Par.js";
import type { Receive } from "../model/Receive.js";
import type { Send } from "../model/Send.js";
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

function isNeutral(par: Par): boolean {
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

/** @spec 21 §3.2 */
export function parOfSend(send: Send): Par {
  return Par.of({ sends: [send], locallyFree: send.locallyFree, connectiveUsed: send.connectiveUsed });
}

/** @spec 21 §3.2 */
export function parOfReceive(receive: Receive): Par {
  const { locallyFree, connectiveUsed } = receive;
  return Par.of({ receives: [receive], locallyFree, connectiveUsed });
}

/** @spec 21 §3.2 */
export function parOfNew(fresh: New): Par {
  return Par.of({ news: [fresh], locallyFree: fresh.locallyFree, connectiveUsed: fresh.p.connectiveUsed });
}

/** @spec 21 §3.2 */
export function parOfMatch(match: Match): Par {
  return Par.of({ matches: [match], locallyFree: match.locallyFree, connectiveUsed: match.connectiveUsed });
}

/** Quirk 21 §3.2: a bundle never marks its Par as a pattern. @spec 21 §3.2 */
export function parOfBundle(bundle: Bundle): Par {
  return Par.of({ bundles: [bundle], locallyFree: bundle.body.locallyFree });
}

/** As if prepended to the empty Par. @spec 21 §3.2 */
export function parOfConnective(connective: Connective, depth = 0): Par {
  return Par.of({
    connectives: [connective],
    locallyFree: connectiveLocallyFree(connective, depth),
    connectiveUsed: connectiveUsedBy(connective),
  });
}

/** `par` with an expression in front. @spec 20 §6.2, 21 §3.2 */
export function prependExpr(par: Par, expr: Expr, depth: number): Par {
  return concatPar(par, parOfExpr(expr, depth));
}

/** @spec 20 §6.2, 21 §3.2 */
export function prependSend(par: Par, send: Send): Par {
  return concatPar(par, parOfSend(send));
}

/** @spec 20 §6.2, 21 §3.2 */
export function prependReceive(par: Par, receive: Receive): Par {
  return concatPar(par, parOfReceive(receive));
}

/** @spec 20 §6.2, 21 §3.2 */
export function prependNew(par: Par, fresh: New): Par {
  return concatPar(par, parOfNew(fresh));
}

/** @spec 20 §6.2, 21 §3.2 */
export function prependMatch(par: Par, match: Match): Par {
  return concatPar(par, parOfMatch(match));
}

/** @spec 20 §6.2, 21 §3.2 */
export function prependBundle(par: Par, bundle: Bundle): Par {
  return concatPar(par, parOfBundle(bundle));
}

/**
 * `par` with a connective in front.
 *
 * Quirk 20 §6.2: what was collected about free variables is discarded.
 *
 * @spec 20 §6.2, 21 §3.2
 */
export function prependConnective(par: Par, connective: Connective, depth: number): Par {
  const { sends, receives, news, exprs, matches, unforgeables, bundles } = par;
  const connectives = [connective, ...par.connectives];
  const locallyFree = connectiveLocallyFree(connective, depth);
  const used = par.connectiveUsed || connectiveUsedBy(connective);
  return new Par(sends, receives, news, exprs, matches, unforgeables, bundles, connectives, locallyFree, used);
}
