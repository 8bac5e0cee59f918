import { compareSignedBytes } from "@vedette/crypto";
import type {
  Bundle,
  Connective,
  EMap,
  Expr,
  Match,
  MatchCase,
  New,
  Par,
  Receive,
  ReceiveBind,
  Send,
} from "../model/Par.js";
import {
  compareBindRemainders,
  compareFlags,
  compareLongs,
  compareRemainders,
  compareTexts,
  compareUnforgeables,
  compareVars,
} from "./compareAtoms.js";
import { bundleRank, connectiveRank, exprRank, rankAfter, rankAt } from "./ranks.js";

/**
 * Order of the scores of two sorted terms: negative, zero, positive.
 *
 * The specification orders score trees; here the trees are not built, but what they hold is compared in their
 * order. Throughout: a list that goes on is larger than one that has ended, since what stands after a list (a
 * flag, a count or nothing) is a leaf or ends the node, and a leaf is smaller than a node.
 *
 * @spec 20 §9.1, §9.3
 * @cost grows with what is equal in both; a term shared by both costs nothing
 */
export function compareSorted(left: Par, right: Par): number {
  if (left === right) return 0;
  return (
    compareGroup(left, right, 0, left.sends, right.sends, compareSends) ||
    compareGroup(left, right, 1, left.receives, right.receives, compareReceives) ||
    compareGroup(left, right, 2, left.exprs, right.exprs, compareExprs) ||
    compareGroup(left, right, 3, left.news, right.news, compareNews) ||
    compareGroup(left, right, 4, left.matches, right.matches, compareMatches) ||
    compareGroup(left, right, 5, left.bundles, right.bundles, compareBundles) ||
    compareGroup(left, right, 6, left.connectives, right.connectives, compareConnectives) ||
    compareGroup(left, right, 7, left.unforgeables, right.unforgeables, compareUnforgeables) ||
    compareFlags(left.connectiveUsed, right.connectiveUsed)
  );
}

/** Compares one of the eight lists; where it ends on one side only, with what follows there. */
function compareGroup<Element>(
  left: Par,
  right: Par,
  group: number,
  leftList: readonly Element[],
  rightList: readonly Element[],
  compare: (left: Element, right: Element) => number,
): number {
  const leftLength = leftList.length;
  const rightLength = rightList.length;
  if (leftLength === 0 && rightLength === 0) return 0;
  const length = Math.min(leftLength, rightLength);
  for (let i = 0; i < length; i += 1) {
    const order = leftList[i] === rightList[i] ? 0 : compare(leftList[i]!, rightList[i]!);
    if (order !== 0) return order;
  }
  if (leftLength === rightLength) return 0;
  if (leftLength > rightLength) return rankAt(left, group, length) - rankAfter(right, group) || 1;
  return rankAfter(left, group) - rankAt(right, group, length) || -1;
}

/** Compares two lists of terms whose end is followed by a leaf. */
export function compareParLists(left: readonly Par[], right: readonly Par[]): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i += 1) {
    const order = compareSorted(left[i]!, right[i]!);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** Order of sends. @spec 20 §9.3 */
export function compareSends(left: Send, right: Send): number {
  return (
    compareFlags(left.persistent, right.persistent) ||
    compareSorted(left.chan, right.chan) ||
    compareParLists(left.data, right.data) ||
    compareFlags(left.connectiveUsed, right.connectiveUsed)
  );
}

/** A body, which follows the binds, is below any bind: it starts with a leaf, a bind with a node. @spec 20 §9.3 */
export function compareReceives(left: Receive, right: Receive): number {
  const flags = compareFlags(left.persistent, right.persistent) || compareFlags(left.peek, right.peek);
  if (flags !== 0) return flags;
  const length = Math.min(left.binds.length, right.binds.length);
  for (let i = 0; i < length; i += 1) {
    const order = compareSortedBinds(left.binds[i]!, right.binds[i]!);
    if (order !== 0) return order;
  }
  return (
    left.binds.length - right.binds.length ||
    compareSorted(left.body, right.body) ||
    left.bindCount - right.bindCount ||
    compareFlags(left.connectiveUsed, right.connectiveUsed)
  );
}

/**
 * Order of two sorted binds. A remainder, which follows the patterns, is below any pattern (its head is at most
 * 52, a pattern's 999). Quirk 20 §9.3: the number of free variables does not count.
 *
 * @spec 20 §9.3, §9.4
 */
export function compareSortedBinds(left: ReceiveBind, right: ReceiveBind): number {
  return (
    compareSorted(left.source, right.source) ||
    compareParLists(left.patterns, right.patterns) ||
    compareBindRemainders(left.remainder, right.remainder)
  );
}

/** Order of `match`es. @spec 20 §9.3 */
export function compareMatches(left: Match, right: Match): number {
  const byTarget = compareSorted(left.target, right.target);
  if (byTarget !== 0) return byTarget;
  const length = Math.min(left.cases.length, right.cases.length);
  for (let i = 0; i < length; i += 1) {
    const order = compareCases(left.cases[i]!, right.cases[i]!);
    if (order !== 0) return order;
  }
  return left.cases.length - right.cases.length || compareFlags(left.connectiveUsed, right.connectiveUsed);
}

function compareCases(left: MatchCase, right: MatchCase): number {
  return (
    compareSorted(left.pattern, right.pattern) ||
    compareSorted(left.source, right.source) ||
    left.freeCount - right.freeCount
  );
}

/** Order of bundles. @spec 20 §9.3 */
export function compareBundles(left: Bundle, right: Bundle): number {
  return bundleRank(left) - bundleRank(right) || compareSorted(left.body, right.body);
}

/** Order of connectives. @spec 20 §9.3 */
export function compareConnectives(left: Connective, right: Connective): number {
  const byRank = connectiveRank(left) - connectiveRank(right);
  if (byRank !== 0) return byRank;
  switch (left.kind) {
    case "ConnectiveNot":
      return compareSorted(left.body, (right as typeof left).body);
    case "ConnectiveAnd":
    case "ConnectiveOr":
      return compareParLists(left.ps, (right as typeof left).ps);
    case "VarRef":
      return left.index - (right as typeof left).index || left.depth - (right as typeof left).depth;
    case "ConnectiveType":
      return compareFlags(left.value, (right as typeof left).value);
    case "EmptyConnective":
      return 0;
  }
}

/** Order of two sorted expressions. @spec 20 §9.3 */
export function compareExprs(left: Expr, right: Expr): number {
  const byRank = exprRank(left) - exprRank(right);
  if (byRank !== 0) return byRank;
  switch (left.kind) {
    case "EVar":
      return compareVars(left.v, (right as typeof left).v);
    case "GInt":
      return compareLongs(left.value, (right as typeof left).value);
    case "GString":
    case "GUri":
      return compareTexts(left.value, (right as typeof left).value);
    case "GBool":
      // Quirk 20 §9.3: true comes before false.
      return compareFlags((right as typeof left).value, left.value);
    case "GByteArray":
      return compareSignedBytes(left.value, (right as typeof left).value);
    default:
      return compareCompounds(left, right);
  }
}

function compareCompounds(left: Expr, right: Expr): number {
  switch (left.kind) {
    case "EList":
    case "ESet": {
      const other = right as typeof left;
      return (
        compareRemainders(left.remainder, other.remainder) ||
        compareParLists(left.ps, other.ps) ||
        compareFlags(left.connectiveUsed, other.connectiveUsed)
      );
    }
    case "ETuple": {
      const other = right as typeof left;
      return compareParLists(left.ps, other.ps) || compareFlags(left.connectiveUsed, other.connectiveUsed);
    }
    case "EMap":
      return compareMaps(left, right as EMap);
    case "EMethod": {
      const other = right as typeof left;
      return (
        compareTexts(left.methodName, other.methodName) ||
        compareSorted(left.target, other.target) ||
        compareParLists(left.args, other.args) ||
        compareFlags(left.connectiveUsed, other.connectiveUsed)
      );
    }
    case "EBinary":
      return compareSorted(left.p1, (right as typeof left).p1) || compareSorted(left.p2, (right as typeof left).p2);
    case "EUnary":
      return compareSorted(left.p, (right as typeof left).p);
    case "EMatches": {
      const other = right as typeof left;
      return compareSorted(left.target, other.target) || compareSorted(left.pattern, other.pattern);
    }
    default:
      return 0;
  }
}

/** Quirk 20 §9.3: the values of a map do not count. */
function compareMaps(left: EMap, right: EMap): number {
  const byRemainder = compareRemainders(left.remainder, right.remainder);
  if (byRemainder !== 0) return byRemainder;
  const length = Math.min(left.kvs.length, right.kvs.length);
  for (let i = 0; i < length; i += 1) {
    const order = compareSorted(left.kvs[i]!.key, right.kvs[i]!.key);
    if (order !== 0) return order;
  }
  return left.kvs.length - right.kvs.length || compareFlags(left.connectiveUsed, right.connectiveUsed);
}

/**
 * Order of two sorted `new`s: the number of names, the URIs (or 0), the injections (or 0), the body.
 *
 * What stands at the same place need not be of the same kind. In ascending order: the leaf 0, a URI, the body
 * (a node that starts with a number), an injection (a node that starts with a text).
 *
 * @spec 20 §9.3
 */
export function compareNews(left: New, right: New): number {
  if (left.bindCount !== right.bindCount) return left.bindCount - right.bindCount;
  const lengths = Math.min(left.uri.length, right.uri.length);
  for (let i = 0; i < lengths; i += 1) {
    const order = compareTexts(left.uri[i]!, right.uri[i]!);
    if (order !== 0) return order;
  }
  if (left.uri.length !== right.uri.length) return compareUriEnds(left, right, lengths);
  return compareInjections(left, right) || compareSorted(left.p, right.p);
}

/** One side has a URI at this place, the other (if it has any) has no more. */
function compareUriEnds(left: New, right: New, place: number): number {
  const shorter = left.uri.length < right.uri.length ? left : right;
  // With no URI at all the leaf 0 stands there; else an injection (a node, above a URI) or the leaf 0.
  const isShorterAbove = place > 0 && shorter.injections.size > 0;
  return (shorter === left) === isShorterAbove ? 1 : -1;
}

function compareInjections(left: New, right: New): number {
  if (left.injections === right.injections) return 0;
  const others = right.injections.entries();
  for (const [urn, value] of left.injections) {
    const other = others.next();
    // Either the leaf 0 or, where injections have ended, the body: both are below an injection.
    if (other.done === true) return 1;
    const order = compareTexts(urn, other.value[0]) || compareSorted(sortedOf(value), sortedOf(other.value[1]));
    if (order !== 0) return order;
  }
  return others.next().done === true ? 0 : -1;
}

/** Values of injections stay as they are in a sorted term, which remembers how they are sorted. */
function sortedOf(value: Par): Par {
  return value.cachedSorted ?? value;
}
