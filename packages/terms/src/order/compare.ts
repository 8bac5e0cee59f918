import type { Bundle } from "../model/Bundle.js";
import type { Connective } from "../model/Connective.js";
import type { Match, MatchCase } from "../model/Match.js";
import type { Par } from "../model/Par.js";
import type { Receive, ReceiveBind } from "../model/Receive.js";
import type { Send } from "../model/Send.js";
import type { Unforgeable } from "../model/Unforgeable.js";
import { compareBindRemainders, compareFlags, compareSignedBytes } from "./compareAtoms.js";
import { compareExprs, exprRank } from "./compareExprs.js";
import { compareNews } from "./compareNews.js";

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

/** The constant at the head of the score of one element of a list; -1 for a leaf, which is below every node. */
function rankAt(par: Par, group: number, index: number): number {
  switch (group) {
    case 0:
      return 300;
    case 1:
      return 301;
    case 2:
      return exprRank(par.exprs[index]!);
    case 3:
      return 303;
    case 4:
      return 304;
    case 5:
      return bundleRank(par.bundles[index]!);
    case 6:
      return connectiveRank(par.connectives[index]!);
    default:
      return unforgeableRank(par.unforgeables[index]!);
  }
}

/** The rank of what comes first after a list: the head of a later list, or the flag at the end. */
function rankAfter(par: Par, group: number): number {
  if (group < 1 && par.receives.length > 0) return 301;
  if (group < 2 && par.exprs.length > 0) return exprRank(par.exprs[0]!);
  if (group < 3 && par.news.length > 0) return 303;
  if (group < 4 && par.matches.length > 0) return 304;
  if (group < 5 && par.bundles.length > 0) return bundleRank(par.bundles[0]!);
  if (group < 6 && par.connectives.length > 0) return connectiveRank(par.connectives[0]!);
  if (group < 7 && par.unforgeables.length > 0) return unforgeableRank(par.unforgeables[0]!);
  return -1;
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

function bundleRank(bundle: Bundle): number {
  if (bundle.writeFlag) return bundle.readFlag ? 308 : 307;
  return bundle.readFlag ? 306 : 305;
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

const connectiveTypeRank = { Bool: 404, Int: 405, String: 406, Uri: 407, ByteArray: 408 } as const;

function connectiveRank(connective: Connective): number {
  switch (connective.kind) {
    case "ConnectiveNot":
      return 400;
    case "ConnectiveAnd":
      return 401;
    case "ConnectiveOr":
      return 402;
    case "VarRef":
      return 403;
    case "ConnectiveType":
      return connectiveTypeRank[connective.typeName];
    case "EmptyConnective":
      return -1;
  }
}

/** Order of unforgeable names. @spec 20 §9.3 */
export function compareUnforgeables(left: Unforgeable, right: Unforgeable): number {
  const byRank = unforgeableRank(left) - unforgeableRank(right);
  if (byRank !== 0) return byRank;
  switch (left.kind) {
    case "GPrivate":
      return compareSignedBytes(left.id, (right as typeof left).id);
    case "GDeployerId":
      return compareSignedBytes(left.publicKey, (right as typeof left).publicKey);
    case "GDeployId":
      return compareSignedBytes(left.signature, (right as typeof left).signature);
    default:
      return 0;
  }
}

function unforgeableRank(unforgeable: Unforgeable): number {
  switch (unforgeable.kind) {
    case "GPrivate":
      return 5;
    case "GDeployerId":
      return 10;
    case "GDeployId":
      return 11;
    case "GSysAuthToken":
      return 12;
    case "EmptyUnforgeable":
      return 0;
  }
}
