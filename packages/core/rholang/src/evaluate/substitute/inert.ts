import {
  type BitSet,
  bitsBelow,
  type Connective,
  type Expr,
  exprConnectiveUsed,
  hasBit,
  type Match,
  makeMap,
  makeSet,
  type New,
  type Par,
  type Receive,
  rnodeAtoms,
  type Send,
} from "@vedette/terms";
import { inertAsPattern, inertAsProcess, substitutionFactsKnown, substitutionVisited } from "../../match/parFacts.js";

const inertBoth = inertAsProcess | inertAsPattern;

/**
 * Whether substitution leaves this Par as it is, and so can skip it: only the variables in its `locallyFree`
 * react to substitution, and none of those has a value.
 *
 * The facts for this are computed when a Par is visited for the second time. Most terms are made by one substitution
 * and visited by one more; only the text of a contract is visited often.
 *
 * @spec 21 §4.1
 * @param shift the environment's shift at this place
 */
export function isInert(par: Par, depth: number, shift: number): boolean {
  let facts = par.cachedFacts;
  if ((facts & substitutionFactsKnown) === 0) {
    if ((facts & substitutionVisited) === 0) {
      par.cachedFacts = facts | substitutionVisited;
      return false;
    }
    facts = factsOf(par);
  }
  if ((facts & (depth === 0 ? inertAsProcess : inertAsPattern)) === 0) return false;
  const free = par.locallyFree;
  return free.length === 0 || bitsBelow(free, shift) === free;
}

function factsOf(par: Par): number {
  if ((par.cachedFacts & substitutionFactsKnown) === 0) par.cachedFacts |= substitutionFactsKnown | inertParts(par);
  return par.cachedFacts;
}

/** How the parts of a Par react, given that the sets of free variables and the flags fit together. */
function inertParts(par: Par): number {
  const free = par.locallyFree;
  let inert = inertBoth;
  for (const expr of par.exprs) {
    if (!par.connectiveUsed && exprConnectiveUsed(expr)) return 0;
    inert &= inertExpr(expr, free);
  }
  for (const connective of par.connectives) {
    if (!par.connectiveUsed) return 0;
    inert &= inertConnective(connective, free);
  }
  for (const send of par.sends) inert &= within(send.locallyFree, free) & inertSend(send);
  for (const receive of par.receives) inert &= within(receive.locallyFree, free) & inertReceive(receive);
  for (const each of par.news) inert &= within(each.locallyFree, free) & inertNew(each);
  for (const match of par.matches) inert &= within(match.locallyFree, free) & inertMatch(match);
  for (const bundle of par.bundles) inert &= isSingleBundle(bundle.body) ? 0 : inertPar(bundle.body, free);
  return inert;
}

function inertPar(par: Par, free: BitSet): number {
  return within(par.locallyFree, free) & factsOf(par);
}

function inertPars(pars: readonly Par[], free: BitSet): number {
  let inert = inertBoth;
  for (const par of pars) inert &= inertPar(par, free);
  return inert;
}

function inertSend(send: Send): number {
  return inertPar(send.chan, send.locallyFree) & inertPars(send.data, send.locallyFree);
}

function inertReceive(receive: Receive): number {
  const free = receive.locallyFree;
  let inert = inertBelow(receive.body, receive.bindCount, free);
  for (const bind of receive.binds) {
    inert &= inertPar(bind.source, free);
    for (const pattern of bind.patterns) inert &= inertPattern(pattern, free);
  }
  return inert;
}

function inertNew(term: New): number {
  return inertBelow(term.p, term.bindCount, term.locallyFree);
}

function inertMatch(match: Match): number {
  const free = match.locallyFree;
  let inert = inertPar(match.target, free);
  for (const each of match.cases)
    inert &= inertPattern(each.pattern, free) & inertBelow(each.source, each.freeCount, free);
  return inert;
}

/** A pattern one depth further in: at whatever depth the whole is looked at, the pattern is not at depth 0. */
function inertPattern(pattern: Par, free: BitSet): number {
  return (inertPar(pattern, free) & inertAsPattern) === 0 ? 0 : inertBoth;
}

/** A body below `count` binders. */
function inertBelow(body: Par, count: number, free: BitSet): number {
  const own = body.locallyFree;
  for (let byte = count >>> 3; byte < own.length; byte += 1)
    for (let index = byte * 8; index < byte * 8 + 8; index += 1)
      if (index >= count && hasBit(own, index) && !hasBit(free, index - count)) return 0;
  return factsOf(body);
}

function inertExpr(expr: Expr, free: BitSet): number {
  switch (expr.kind) {
    case "EVar":
      if (expr.v.kind !== "BoundVar") return inertAsPattern;
      return hasBit(free, expr.v.index) ? inertBoth : inertAsPattern;
    case "EUnary":
      return inertPar(expr.p, free);
    case "EBinary":
      return inertPar(expr.p1, free) & inertPar(expr.p2, free);
    case "EMatches":
      return inertPar(expr.target, free) & inertPar(expr.pattern, free);
    case "EMethod":
      return (
        within(expr.locallyFree, free) &
        inertPar(expr.target, expr.locallyFree) &
        inertPars(expr.args, expr.locallyFree)
      );
    case "ESet":
      if (makeSet(expr.ps, expr.locallyFree, expr.connectiveUsed, undefined, rnodeAtoms).ps !== expr.ps) return 0;
      return within(expr.locallyFree, free) & inertPars(expr.ps, expr.locallyFree);
    case "EMap": {
      if (makeMap(expr.kvs, expr.locallyFree, expr.connectiveUsed, undefined, rnodeAtoms).kvs !== expr.kvs) return 0;
      let inert = within(expr.locallyFree, free);
      for (const { key, value } of expr.kvs)
        inert &= inertPar(key, expr.locallyFree) & inertPar(value, expr.locallyFree);
      return inert;
    }
    case "EList":
    case "ETuple":
      return within(expr.locallyFree, free) & inertPars(expr.ps, expr.locallyFree);
    default:
      return inertBoth;
  }
}

function inertConnective(connective: Connective, free: BitSet): number {
  switch (connective.kind) {
    case "ConnectiveAnd":
    case "ConnectiveOr":
      return inertPars(connective.ps, free);
    case "ConnectiveNot":
      return inertPar(connective.body, free);
    case "ConnectiveType":
      return inertBoth;
    case "VarRef":
    case "EmptyConnective":
      return 0;
  }
}

/** All bits if `inner` is a part of `outer`, else none. */
function within(inner: BitSet, outer: BitSet): number {
  if (inner.length > outer.length) return 0;
  for (let i = 0; i < inner.length; i += 1) if ((inner[i]! & ~outer[i]!) !== 0) return 0;
  return inertBoth;
}

/** Whether a Par is one bundle and nothing else. @spec 21 §3.8 */
export function isSingleBundle(par: Par): boolean {
  return (
    par.bundles.length === 1 &&
    par.sends.length === 0 &&
    par.receives.length === 0 &&
    par.news.length === 0 &&
    par.exprs.length === 0 &&
    par.matches.length === 0 &&
    par.unforgeables.length === 0 &&
    par.connectives.length === 0
  );
}
