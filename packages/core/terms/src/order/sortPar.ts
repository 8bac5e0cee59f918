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
  EPathMap,
  ESet,
  ETuple,
  EUnary,
  type Expr,
  If,
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
  compareConditionals,
  compareConnectives,
  compareExprs,
  compareMatches,
  compareNews,
  compareReceives,
  compareSends,
  compareSorted,
} from "./compare.js";
import { type AtomOrder, compareUnforgeables, rnodeAtoms } from "./compareAtoms.js";
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
  return sortedBy(par, rnodeAtoms);
}

/** As {@link sortPar}, of any dialect. @spec 20 §9, §14.3 */
export function sortedBy(par: Par, atoms: AtomOrder): Par {
  return par.cachedSorted ?? sortFresh(par, atoms);
}

/** Order of two terms by their scores, for terms that need not be sorted. @spec 20 §9.1 */
export function compareScores(left: Par, right: Par): number {
  return scoresBy(left, right, rnodeAtoms);
}

/** As {@link compareScores}, of any dialect. @spec 20 §9.1, §14.3 */
export function scoresBy(left: Par, right: Par, atoms: AtomOrder): number {
  return compareSorted(sortedBy(left, atoms), sortedBy(right, atoms), atoms);
}

function sortFresh(par: Par, atoms: AtomOrder): Par {
  const sends = sortList(par.sends, sortSend, compareSends, atoms);
  const receives = sortList(par.receives, sortReceive, compareReceives, atoms);
  const news = sortList(par.news, sortNew, compareNews, atoms);
  const exprs = sortList(par.exprs, sortExpr, compareExprs, atoms);
  const matches = sortList(par.matches, sortMatch, compareMatches, atoms);
  const unforgeables = sortList(par.unforgeables, itself, compareUnforgeables, atoms);
  const bundles = sortList(par.bundles, sortBundle, compareBundles, atoms);
  const connectives = sortList(par.connectives, sortConnective, compareConnectives, atoms);
  const conditionals = sortList(par.conditionals, sortConditional, compareConditionals, atoms);
  const isSorted =
    sends === par.sends &&
    receives === par.receives &&
    news === par.news &&
    exprs === par.exprs &&
    matches === par.matches &&
    unforgeables === par.unforgeables &&
    bundles === par.bundles &&
    connectives === par.connectives &&
    conditionals === par.conditionals;
  // biome-ignore format: the arguments in one row, as in the class
  const sorted = isSorted ? par : new Par(sends, receives, news, exprs, matches, unforgeables, bundles, connectives, par.locallyFree, par.connectiveUsed, conditionals);
  sorted.cachedSorted = sorted;
  par.cachedSorted = sorted;
  return sorted;
}

/** Sorts the elements, then the list, stably; gives back the list itself where nothing changes. */
function sortList<Element>(
  list: readonly Element[],
  sortElement: (element: Element, atoms: AtomOrder) => Element,
  compare: (left: Element, right: Element, atoms: AtomOrder) => number,
  atoms: AtomOrder,
): readonly Element[] {
  const length = list.length;
  if (length === 0) return list;
  let changed: Element[] | undefined;
  for (let i = 0; i < length; i += 1) {
    const sorted = sortElement(list[i]!, atoms);
    if (sorted === list[i]) continue;
    changed ??= list.slice();
    changed[i] = sorted;
  }
  const elements = changed ?? list;
  for (let i = 1; i < length; i += 1)
    if (compare(elements[i - 1]!, elements[i]!, atoms) > 0) return inOrder(changed ?? list.slice(), compare, atoms);
  return elements;
}

/** PERF: apart from {@link sortList}, where the function below would take memory for each list, sorted or not. */
function inOrder<Element>(
  elements: Element[],
  compare: (left: Element, right: Element, atoms: AtomOrder) => number,
  atoms: AtomOrder,
): readonly Element[] {
  return elements.sort(counted((left, right) => compare(left, right, atoms)));
}

function itself<Element>(element: Element): Element {
  return element;
}

/** Sorts each term of a list that keeps its order; gives back the list itself where nothing changes. */
export function sortEach(pars: readonly Par[], atoms: AtomOrder): readonly Par[] {
  let changed: Par[] | undefined;
  for (let i = 0; i < pars.length; i += 1) {
    const sorted = sortedBy(pars[i]!, atoms);
    if (sorted === pars[i]) continue;
    changed ??= pars.slice();
    changed[i] = sorted;
  }
  return changed ?? pars;
}

function sortSend(send: Send, atoms: AtomOrder): Send {
  const chan = sortedBy(send.chan, atoms);
  const data = sortEach(send.data, atoms);
  if (chan === send.chan && data === send.data) return send;
  return new Send(chan, data, send.persistent, send.locallyFree, send.connectiveUsed);
}

/** The binds keep their order: variables are numbered by it. */
function sortReceive(receive: Receive, atoms: AtomOrder): Receive {
  const binds = eachSorted(receive.binds, sortReceiveBind, atoms);
  const body = sortedBy(receive.body, atoms);
  const condition = sortGuard(receive.condition, atoms);
  if (binds === receive.binds && body === receive.body && condition === receive.condition) return receive;
  const { persistent, peek, bindCount, locallyFree, connectiveUsed } = receive;
  return new Receive(binds, body, persistent, peek, bindCount, locallyFree, connectiveUsed, condition);
}

function sortGuard(guard: Par | undefined, atoms: AtomOrder): Par | undefined {
  return guard === undefined ? undefined : sortedBy(guard, atoms);
}

/** Sorts the source and the patterns of a bind. @spec 20 §9.4 */
export function sortReceiveBind(bind: ReceiveBind, atoms: AtomOrder): ReceiveBind {
  const patterns = sortEach(bind.patterns, atoms);
  const source = sortedBy(bind.source, atoms);
  if (patterns === bind.patterns && source === bind.source) return bind;
  return new ReceiveBind(patterns, source, bind.remainder, bind.freeCount);
}

/**
 * Quirk 20 §9: the URIs are sorted although the names were numbered by their order before, and the values of
 * injections stay as they are. They count as sorted where `new`s are compared.
 */
function sortNew(fresh: New, atoms: AtomOrder): New {
  if (fresh.injections.size > 0) for (const value of fresh.injections.values()) sortedBy(value, atoms);
  const uri = sortList(fresh.uri, itself, atoms.texts, atoms);
  const p = sortedBy(fresh.p, atoms);
  if (uri === fresh.uri && p === fresh.p) return fresh;
  return new New(fresh.bindCount, p, uri, fresh.injections, fresh.locallyFree);
}

function sortMatch(match: Match, atoms: AtomOrder): Match {
  const target = sortedBy(match.target, atoms);
  const cases = eachSorted(match.cases, sortCase, atoms);
  if (target === match.target && cases === match.cases) return match;
  return new Match(target, cases, match.locallyFree, match.connectiveUsed);
}

function sortCase(one: MatchCase, atoms: AtomOrder): MatchCase {
  const pattern = sortedBy(one.pattern, atoms);
  const source = sortedBy(one.source, atoms);
  const guard = sortGuard(one.guard, atoms);
  if (pattern === one.pattern && source === one.source && guard === one.guard) return one;
  return new MatchCase(pattern, source, one.freeCount, guard);
}

function sortConditional(conditional: If, atoms: AtomOrder): If {
  const condition = sortedBy(conditional.condition, atoms);
  const ifTrue = sortedBy(conditional.ifTrue, atoms);
  const ifFalse = sortedBy(conditional.ifFalse, atoms);
  if (condition === conditional.condition && ifTrue === conditional.ifTrue && ifFalse === conditional.ifFalse)
    return conditional;
  return new If(condition, ifTrue, ifFalse, conditional.locallyFree, conditional.connectiveUsed);
}

function sortBundle(bundle: Bundle, atoms: AtomOrder): Bundle {
  const body = sortedBy(bundle.body, atoms);
  return body === bundle.body ? bundle : new Bundle(body, bundle.writeFlag, bundle.readFlag);
}

function sortConnective(connective: Connective, atoms: AtomOrder): Connective {
  switch (connective.kind) {
    case "ConnectiveAnd": {
      const ps = sortEach(connective.ps, atoms);
      return ps === connective.ps ? connective : new ConnectiveAnd(ps);
    }
    case "ConnectiveOr": {
      const ps = sortEach(connective.ps, atoms);
      return ps === connective.ps ? connective : new ConnectiveOr(ps);
    }
    case "ConnectiveNot": {
      const body = sortedBy(connective.body, atoms);
      return body === connective.body ? connective : new ConnectiveNot(body);
    }
    default:
      return connective;
  }
}

function sortExpr(expr: Expr, atoms: AtomOrder): Expr {
  switch (expr.kind) {
    case "EList": {
      const ps = sortEach(expr.ps, atoms);
      return ps === expr.ps ? expr : new EList(ps, expr.locallyFree, expr.connectiveUsed, expr.remainder);
    }
    case "ETuple": {
      const ps = sortEach(expr.ps, atoms);
      return ps === expr.ps ? expr : new ETuple(ps, expr.locallyFree, expr.connectiveUsed);
    }
    case "EPathMap": {
      const ps = sortEach(expr.ps, atoms);
      return ps === expr.ps ? expr : new EPathMap(ps, expr.locallyFree, expr.connectiveUsed, expr.remainder);
    }
    case "ESet":
      return sortSet(expr, atoms);
    case "EMap":
      return sortMap(expr, atoms);
    case "EMethod": {
      const target = sortedBy(expr.target, atoms);
      const args = sortEach(expr.args, atoms);
      if (target === expr.target && args === expr.args) return expr;
      return new EMethod(expr.methodName, target, args, expr.locallyFree, expr.connectiveUsed);
    }
    case "EBinary": {
      const p1 = sortedBy(expr.p1, atoms);
      const p2 = sortedBy(expr.p2, atoms);
      return p1 === expr.p1 && p2 === expr.p2 ? expr : new EBinary(expr.operator, p1, p2);
    }
    case "EUnary": {
      const p = sortedBy(expr.p, atoms);
      return p === expr.p ? expr : new EUnary(expr.operator, p);
    }
    case "EMatches": {
      const target = sortedBy(expr.target, atoms);
      const pattern = sortedBy(expr.pattern, atoms);
      return target === expr.target && pattern === expr.pattern ? expr : new EMatches(target, pattern);
    }
    default:
      return expr;
  }
}

/** The set of its sorted elements, which may turn out equal only now. @spec 20 §9.6 */
function sortSet(set: ESet, atoms: AtomOrder): ESet {
  checkPartCount(set.ps.length);
  const ps = inSetOrder(set.ps, sortEach(set.ps, atoms), atoms);
  const isSorted = ps.length === set.ps.length && ps.every((element, i) => element === set.ps[i]);
  return isSorted ? set : new ESet(ps, set.locallyFree, set.connectiveUsed, set.remainder);
}

/** The map of its sorted entries. @spec 20 §9.6 */
function sortMap(map: EMap, atoms: AtomOrder): EMap {
  checkPartCount(map.kvs.length);
  const kvs = inMapOrder(map.kvs, sortPairs(map.kvs, atoms), false, atoms);
  const isSorted = kvs.length === map.kvs.length && kvs.every((pair, i) => isSamePair(pair, map.kvs[i]!));
  return isSorted ? map : new EMap(kvs, map.locallyFree, map.connectiveUsed, map.remainder);
}

function isSamePair(left: KeyValuePair, right: KeyValuePair): boolean {
  return left.key === right.key && left.value === right.value;
}

/** Sorts keys and values of entries that keep their order; gives back the list itself where nothing changes. */
export function sortPairs(pairs: readonly KeyValuePair[], atoms: AtomOrder): readonly KeyValuePair[] {
  let changed: KeyValuePair[] | undefined;
  for (let i = 0; i < pairs.length; i += 1) {
    const pair = pairs[i]!;
    const key = sortedBy(pair.key, atoms);
    const value = sortedBy(pair.value, atoms);
    if (key === pair.key && value === pair.value) continue;
    changed ??= pairs.slice();
    changed[i] = { key, value };
  }
  return changed ?? pairs;
}

function eachSorted<Element>(
  list: readonly Element[],
  sortElement: (element: Element, atoms: AtomOrder) => Element,
  atoms: AtomOrder,
): readonly Element[] {
  let changed: Element[] | undefined;
  for (let i = 0; i < list.length; i += 1) {
    const sorted = sortElement(list[i]!, atoms);
    if (sorted === list[i]) continue;
    changed ??= list.slice();
    changed[i] = sorted;
  }
  return changed ?? list;
}
