import {
  type Connective,
  equalBundle,
  equalExpr,
  equalMatch,
  equalNew as equalNews,
  equalPar,
  equalReceiveBind,
  equalSend,
  equalUnforgeable,
  New,
  nil,
  Par,
  type Receive,
  ReceiveBind,
} from "@vedette/terms";

/**
 * Whether a target equals a pattern without variables.
 *
 * Quirk 61 §6: conditionals and guards of receives are not compared. Connectives, binds and their patterns are compared
 * up to the end of the shorter list.
 */
export function equalWhole(target: Par, pattern: Par): boolean {
  if (target === pattern) return true;
  return (
    target.connectiveUsed === pattern.connectiveUsed &&
    sameLengths(target, pattern) &&
    allEqual(target.exprs, pattern.exprs, equalExpr) &&
    allEqual(target.sends, pattern.sends, equalSend) &&
    allEqual(target.receives, pattern.receives, equalReceive) &&
    allEqual(target.news, pattern.news, equalNew) &&
    allEqual(target.matches, pattern.matches, equalMatch) &&
    allEqual(target.unforgeables, pattern.unforgeables, equalUnforgeable) &&
    allEqual(target.bundles, pattern.bundles, equalBundle) &&
    equalConnectives(target, pattern)
  );
}

function sameLengths(left: Par, right: Par): boolean {
  return (
    left.sends.length === right.sends.length &&
    left.receives.length === right.receives.length &&
    left.news.length === right.news.length &&
    left.exprs.length === right.exprs.length &&
    left.matches.length === right.matches.length &&
    left.unforgeables.length === right.unforgeables.length &&
    left.bundles.length === right.bundles.length
  );
}

/** As far as both lists go. */
function allEqual<T>(left: readonly T[], right: readonly T[], equal: (left: T, right: T) => boolean): boolean {
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i += 1) if (!equal(left[i]!, right[i]!)) return false;
  return true;
}

function equalConnectives({ connectives: left }: Par, { connectives: right }: Par): boolean {
  return allEqual(left, right, (one, other) => equalPar(withConnective(one), withConnective(other)));
}

function equalReceive(left: Receive, right: Receive): boolean {
  return (
    left.persistent === right.persistent &&
    left.peek === right.peek &&
    left.bindCount === right.bindCount &&
    left.connectiveUsed === right.connectiveUsed &&
    allEqual(left.binds, right.binds, equalBind) &&
    equalWhole(left.body, right.body)
  );
}

function withConnective(connective: Connective): Par {
  return Par.of({ connectives: [connective] });
}

function equalBind(left: ReceiveBind, right: ReceiveBind): boolean {
  return (
    equalReceiveBind(withoutTerms(left), withoutTerms(right)) &&
    allEqual(left.patterns, right.patterns, equalWhole) &&
    equalWhole(left.source, right.source)
  );
}

function withoutTerms({ remainder, freeCount }: ReceiveBind): ReceiveBind {
  return new ReceiveBind([], nil, remainder, freeCount);
}

function equalNew(left: New, right: New): boolean {
  return equalNews(withoutBody(left), withoutBody(right)) && equalWhole(left.p, right.p);
}

function withoutBody({ bindCount, uri, injections, locallyFree }: New): New {
  return new New(bindCount, nil, uri, injections, locallyFree);
}
