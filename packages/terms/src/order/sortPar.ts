import {
  Bundle,
  type Connective,
  ConnectiveAnd,
  ConnectiveNot,
  ConnectiveOr,
  EBinary,
  EList,
  EMap,
  EMatches,
  EMethod,
  ESet,
  ETuple,
  EUnary,
  type Expr,
  type KeyValuePair,
  Match,
  MatchCase,
  New,
  Par,
  Receive,
  ReceiveBind,
  Send,
} from "../model/Par.js";
import { checkPartCount } from "../model/TermLimitError.js";
import { counted } from "../model/work.js";
import {
  compareBundles,
  compareConnectives,
  compareExprs,
  compareMatches,
  compareNews,
  compareReceives,
  compareSends,
  compareSorted,
} from "./compare.js";
import { compareTexts, compareUnforgeables } from "./compareAtoms.js";
import { inMapOrder } from "./mapOrder.js";
import { inSetOrder } from "./setOrder.js";

/**
 * The canonical form of a term: every list of every Par, every set, map and URI list in canonical order.
 * Data, patterns, binds, list items, arguments, cases and operands keep theirs.
 *
 * @spec 20 §9
 * @returns the same object if it is sorted; the result is remembered on the Par
 */
export function sortPar(par: Par): Par {
  return par.cachedSorted ?? sortFresh(par);
}

/** Order of two terms by their scores, for terms that need not be sorted. @spec 20 §9.1 */
export function compareScores(left: Par, right: Par): number {
  return compareSorted(sortPar(left), sortPar(right));
}

function sortFresh(par: Par): Par {
  const sends = sortList(par.sends, sortSend, compareSends);
  const receives = sortList(par.receives, sortReceive, compareReceives);
  const news = sortList(par.news, sortNew, compareNews);
  const exprs = sortList(par.exprs, sortExpr, compareExprs);
  const matches = sortList(par.matches, sortMatch, compareMatches);
  const unforgeables = sortList(par.unforgeables, itself, compareUnforgeables);
  const bundles = sortList(par.bundles, sortBundle, compareBundles);
  const connectives = sortList(par.connectives, sortConnective, compareConnectives);
  const isSorted =
    sends === par.sends &&
    receives === par.receives &&
    news === par.news &&
    exprs === par.exprs &&
    matches === par.matches &&
    unforgeables === par.unforgeables &&
    bundles === par.bundles &&
    connectives === par.connectives;
  // biome-ignore format: the arguments in one row, as in the class
  const sorted = isSorted ? par : new Par(sends, receives, news, exprs, matches, unforgeables, bundles, connectives, par.locallyFree, par.connectiveUsed);
  sorted.cachedSorted = sorted;
  par.cachedSorted = sorted;
  return sorted;
}

/** Sorts the elements, then the list, stably; gives back the list itself where nothing changes. */
function sortList<Element>(
  list: readonly Element[],
  sortElement: (element: Element) => Element,
  compare: (left: Element, right: Element) => number,
): readonly Element[] {
  const length = list.length;
  if (length === 0) return list;
  let changed: Element[] | undefined;
  for (let i = 0; i < length; i += 1) {
    const sorted = sortElement(list[i]!);
    if (sorted === list[i]) continue;
    changed ??= list.slice();
    changed[i] = sorted;
  }
  const elements = changed ?? list;
  for (let i = 1; i < length; i += 1)
    if (compare(elements[i - 1]!, elements[i]!) > 0) return (changed ?? list.slice()).sort(counted(compare));
  return elements;
}

function itself<Element>(element: Element): Element {
  return element;
}

/** Sorts each term of a list that keeps its order; gives back the list itself where nothing changes. */
export function sortEach(pars: readonly Par[]): readonly Par[] {
  let changed: Par[] | undefined;
  for (let i = 0; i < pars.length; i += 1) {
    const sorted = sortPar(pars[i]!);
    if (sorted === pars[i]) continue;
    changed ??= pars.slice();
    changed[i] = sorted;
  }
  return changed ?? pars;
}

function sortSend(send: Send): Send {
  const chan = sortPar(send.chan);
  const data = sortEach(send.data);
  if (chan === send.chan && data === send.data) return send;
  return new Send(chan, data, send.persistent, send.locallyFree, send.connectiveUsed);
}

/** The binds keep their order: variables are numbered by it. */
function sortReceive(receive: Receive): Receive {
  const binds = eachSorted(receive.binds, sortReceiveBind);
  const body = sortPar(receive.body);
  if (binds === receive.binds && body === receive.body) return receive;
  const { persistent, peek, bindCount, locallyFree, connectiveUsed } = receive;
  return new Receive(binds, body, persistent, peek, bindCount, locallyFree, connectiveUsed);
}

/** Sorts the source and the patterns of a bind. @spec 20 §9.4 */
export function sortReceiveBind(bind: ReceiveBind): ReceiveBind {
  const patterns = sortEach(bind.patterns);
  const source = sortPar(bind.source);
  if (patterns === bind.patterns && source === bind.source) return bind;
  return new ReceiveBind(patterns, source, bind.remainder, bind.freeCount);
}

/**
 * Quirk 20 §9: the URIs are sorted although the names were numbered by their order before, and the values of
 * injections stay as they are. They count as sorted where `new`s are compared.
 */
function sortNew(fresh: New): New {
  if (fresh.injections.size > 0) for (const value of fresh.injections.values()) sortPar(value);
  const uri = sortList(fresh.uri, itself, compareTexts);
  const p = sortPar(fresh.p);
  if (uri === fresh.uri && p === fresh.p) return fresh;
  return new New(fresh.bindCount, p, uri, fresh.injections, fresh.locallyFree);
}

function sortMatch(match: Match): Match {
  const target = sortPar(match.target);
  const cases = eachSorted(match.cases, sortCase);
  if (target === match.target && cases === match.cases) return match;
  return new Match(target, cases, match.locallyFree, match.connectiveUsed);
}

function sortCase(one: MatchCase): MatchCase {
  const pattern = sortPar(one.pattern);
  const source = sortPar(one.source);
  if (pattern === one.pattern && source === one.source) return one;
  return new MatchCase(pattern, source, one.freeCount);
}

function sortBundle(bundle: Bundle): Bundle {
  const body = sortPar(bundle.body);
  return body === bundle.body ? bundle : new Bundle(body, bundle.writeFlag, bundle.readFlag);
}

function sortConnective(connective: Connective): Connective {
  switch (connective.kind) {
    case "ConnectiveAnd": {
      const ps = sortEach(connective.ps);
      return ps === connective.ps ? connective : new ConnectiveAnd(ps);
    }
    case "ConnectiveOr": {
      const ps = sortEach(connective.ps);
      return ps === connective.ps ? connective : new ConnectiveOr(ps);
    }
    case "ConnectiveNot": {
      const body = sortPar(connective.body);
      return body === connective.body ? connective : new ConnectiveNot(body);
    }
    default:
      return connective;
  }
}

function sortExpr(expr: Expr): Expr {
  switch (expr.kind) {
    case "EList": {
      const ps = sortEach(expr.ps);
      return ps === expr.ps ? expr : new EList(ps, expr.locallyFree, expr.connectiveUsed, expr.remainder);
    }
    case "ETuple": {
      const ps = sortEach(expr.ps);
      return ps === expr.ps ? expr : new ETuple(ps, expr.locallyFree, expr.connectiveUsed);
    }
    case "ESet":
      return sortSet(expr);
    case "EMap":
      return sortMap(expr);
    case "EMethod": {
      const target = sortPar(expr.target);
      const args = sortEach(expr.args);
      if (target === expr.target && args === expr.args) return expr;
      return new EMethod(expr.methodName, target, args, expr.locallyFree, expr.connectiveUsed);
    }
    case "EBinary": {
      const p1 = sortPar(expr.p1);
      const p2 = sortPar(expr.p2);
      return p1 === expr.p1 && p2 === expr.p2 ? expr : new EBinary(expr.operator, p1, p2);
    }
    case "EUnary": {
      const p = sortPar(expr.p);
      return p === expr.p ? expr : new EUnary(expr.operator, p);
    }
    case "EMatches": {
      const target = sortPar(expr.target);
      const pattern = sortPar(expr.pattern);
      return target === expr.target && pattern === expr.pattern ? expr : new EMatches(target, pattern);
    }
    default:
      return expr;
  }
}

/** The set of its sorted elements, which may turn out equal only now. @spec 20 §9.6 */
function sortSet(set: ESet): ESet {
  checkPartCount(set.ps.length);
  const ps = inSetOrder(set.ps, sortEach(set.ps));
  const isSorted = ps.length === set.ps.length && ps.every((element, i) => element === set.ps[i]);
  return isSorted ? set : new ESet(ps, set.locallyFree, set.connectiveUsed, set.remainder);
}

/** The map of its sorted entries. @spec 20 §9.6 */
function sortMap(map: EMap): EMap {
  checkPartCount(map.kvs.length);
  const kvs = inMapOrder(map.kvs, sortPairs(map.kvs), false);
  const isSorted = kvs.length === map.kvs.length && kvs.every((pair, i) => isSamePair(pair, map.kvs[i]!));
  return isSorted ? map : new EMap(kvs, map.locallyFree, map.connectiveUsed, map.remainder);
}

function isSamePair(left: KeyValuePair, right: KeyValuePair): boolean {
  return left.key === right.key && left.value === right.value;
}

/** Sorts keys and values of entries that keep their order; gives back the list itself where nothing changes. */
export function sortPairs(pairs: readonly KeyValuePair[]): readonly KeyValuePair[] {
  let changed: KeyValuePair[] | undefined;
  for (let i = 0; i < pairs.length; i += 1) {
    const pair = pairs[i]!;
    const key = sortPar(pair.key);
    const value = sortPar(pair.value);
    if (key === pair.key && value === pair.value) continue;
    changed ??= pairs.slice();
    changed[i] = { key, value };
  }
  return changed ?? pairs;
}

function eachSorted<Element>(list: readonly Element[], sortElement: (element: Element) => Element): readonly Element[] {
  let changed: Element[] | undefined;
  for (let i = 0; i < list.length; i += 1) {
    const sorted = sortElement(list[i]!);
    if (sorted === list[i]) continue;
    changed ??= list.slice();
    changed[i] = sorted;
  }
  return changed ?? list;
}
