import {
  type Bundle,
  type Connective,
  type EMap,
  type Expr,
  type EZipper,
  type If,
  type Match,
  type MatchCase,
  type New,
  none,
  type Par,
  type Receive,
  type ReceiveBind,
  type Send,
} from "../model/Par.js";
import {
  type AtomOrder,
  compareBindRemainders,
  compareFlags,
  compareLongs,
  compareRemainders,
  compareUnforgeables,
  compareVars,
} from "./compareAtoms.js";
import { bundleRank, connectiveRank, exprRank, rankAfter, rankAt } from "./ranks.js";

/**
 * Order of the scores of two sorted terms: negative, zero, positive.
 *
 * The specification orders score trees; here the trees are not built, but their content is compared in their order.
 * Throughout, a list that goes on is larger than one that has ended. After a list comes a leaf (a flag or a count) or
 * the end of the node, and a leaf is smaller than a node.
 *
 * @spec 20 §9.1, §9.3
 * @cost grows with the equal parts of both; a term shared by both costs nothing
 */
export function compareSorted(left: Par, right: Par, atoms: AtomOrder): number {
  if (left === right) return 0;
  return (
    compareGroup(left, right, 0, left.sends, right.sends, compareSends, atoms) ||
    compareGroup(left, right, 1, left.receives, right.receives, compareReceives, atoms) ||
    compareGroup(left, right, 2, left.exprs, right.exprs, compareExprs, atoms) ||
    compareGroup(left, right, 3, left.news, right.news, compareNews, atoms) ||
    compareGroup(left, right, 4, left.matches, right.matches, compareMatches, atoms) ||
    compareGroup(left, right, 5, left.bundles, right.bundles, compareBundles, atoms) ||
    compareGroup(left, right, 6, left.connectives, right.connectives, compareConnectives, atoms) ||
    compareGroup(left, right, 7, left.unforgeables, right.unforgeables, compareUnforgeables, atoms) ||
    compareGroup(left, right, 8, left.conditionals, right.conditionals, compareConditionals, atoms) ||
    compareFlags(left.connectiveUsed, right.connectiveUsed)
  );
}

/** Compares one of the lists; where it ends on one side only, with what follows there. */
function compareGroup<Element>(
  left: Par,
  right: Par,
  group: number,
  leftList: readonly Element[],
  rightList: readonly Element[],
  compare: (left: Element, right: Element, atoms: AtomOrder) => number,
  atoms: AtomOrder,
): number {
  const leftLength = leftList.length;
  const rightLength = rightList.length;
  if (leftLength === 0 && rightLength === 0) return 0;
  const length = Math.min(leftLength, rightLength);
  for (let i = 0; i < length; i += 1) {
    const order = leftList[i] === rightList[i] ? 0 : compare(leftList[i]!, rightList[i]!, atoms);
    if (order !== 0) return order;
  }
  if (leftLength === rightLength) return 0;
  if (leftLength > rightLength) return rankAt(left, group, length) - rankAfter(right, group) || 1;
  return rankAfter(left, group) - rankAt(right, group, length) || -1;
}

/** Compares two lists of terms that are followed by a leaf. */
function compareParLists(left: readonly Par[], right: readonly Par[], atoms: AtomOrder): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i += 1) {
    const order = compareSorted(left[i]!, right[i]!, atoms);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** Order of sends. @spec 20 §9.3 */
export function compareSends(left: Send, right: Send, atoms: AtomOrder): number {
  return (
    compareFlags(left.persistent, right.persistent) ||
    compareSorted(left.chan, right.chan, atoms) ||
    compareParLists(left.data, right.data, atoms) ||
    compareFlags(left.connectiveUsed, right.connectiveUsed)
  );
}

/** A body, which follows the binds, is below any bind: it starts with a leaf, a bind with a node. @spec 20 §9.3 */
export function compareReceives(left: Receive, right: Receive, atoms: AtomOrder): number {
  const flags = compareFlags(left.persistent, right.persistent) || compareFlags(left.peek, right.peek);
  if (flags !== 0) return flags;
  const length = Math.min(left.binds.length, right.binds.length);
  for (let i = 0; i < length; i += 1) {
    const order = compareSortedBinds(left.binds[i]!, right.binds[i]!, atoms);
    if (order !== 0) return order;
  }
  return (
    left.binds.length - right.binds.length ||
    compareSorted(left.body, right.body, atoms) ||
    left.bindCount - right.bindCount ||
    compareFlags(left.connectiveUsed, right.connectiveUsed) ||
    compareGuards(left.condition, right.condition, atoms)
  );
}

/** A guard follows all else: a receive or a case without one is below any that has one. @spec 20 §14.3 */
function compareGuards(left: Par | undefined, right: Par | undefined, atoms: AtomOrder): number {
  if (left === undefined || right === undefined) return compareFlags(left !== undefined, right !== undefined);
  return compareSorted(left, right, atoms);
}

/** Order of conditionals. @spec 20 §14.3 */
export function compareConditionals(left: If, right: If, atoms: AtomOrder): number {
  return (
    compareSorted(left.condition, right.condition, atoms) ||
    compareSorted(left.ifTrue, right.ifTrue, atoms) ||
    compareSorted(left.ifFalse, right.ifFalse, atoms) ||
    compareFlags(left.connectiveUsed, right.connectiveUsed)
  );
}

/**
 * Order of two sorted binds. A remainder, which follows the patterns, is below any pattern (its head is at most
 * 52, a pattern's 999). Quirk 20 §9.3: the number of free variables does not count.
 *
 * @spec 20 §9.3, §9.4
 */
export function compareSortedBinds(left: ReceiveBind, right: ReceiveBind, atoms: AtomOrder): number {
  return (
    compareSorted(left.source, right.source, atoms) ||
    compareParLists(left.patterns, right.patterns, atoms) ||
    compareBindRemainders(left.remainder, right.remainder)
  );
}

/** Order of `match`es. @spec 20 §9.3 */
export function compareMatches(left: Match, right: Match, atoms: AtomOrder): number {
  const byTarget = compareSorted(left.target, right.target, atoms);
  if (byTarget !== 0) return byTarget;
  const length = Math.min(left.cases.length, right.cases.length);
  for (let i = 0; i < length; i += 1) {
    const order = compareCases(left.cases[i]!, right.cases[i]!, atoms);
    if (order !== 0) return order;
  }
  return left.cases.length - right.cases.length || compareFlags(left.connectiveUsed, right.connectiveUsed);
}

function compareCases(left: MatchCase, right: MatchCase, atoms: AtomOrder): number {
  return (
    compareSorted(left.pattern, right.pattern, atoms) ||
    compareSorted(left.source, right.source, atoms) ||
    left.freeCount - right.freeCount ||
    compareGuards(left.guard, right.guard, atoms)
  );
}

/** Order of bundles. @spec 20 §9.3 */
export function compareBundles(left: Bundle, right: Bundle, atoms: AtomOrder): number {
  return bundleRank(left) - bundleRank(right) || compareSorted(left.body, right.body, atoms);
}

/** Order of connectives. @spec 20 §9.3 */
export function compareConnectives(left: Connective, right: Connective, atoms: AtomOrder): number {
  const byRank = connectiveRank(left) - connectiveRank(right);
  if (byRank !== 0) return byRank;
  switch (left.kind) {
    case "ConnectiveNot":
      return compareSorted(left.body, (right as typeof left).body, atoms);
    case "ConnectiveAnd":
    case "ConnectiveOr":
      return compareParLists(left.ps, (right as typeof left).ps, atoms);
    case "VarRef":
      return left.index - (right as typeof left).index || left.depth - (right as typeof left).depth;
    case "ConnectiveType":
      return compareFlags(left.value, (right as typeof left).value);
    case "EmptyConnective":
      return 0;
  }
}

/** Order of two sorted expressions. @spec 20 §9.3 */
export function compareExprs(left: Expr, right: Expr, atoms: AtomOrder): number {
  const byRank = exprRank(left) - exprRank(right);
  if (byRank !== 0) return byRank;
  switch (left.kind) {
    case "EVar":
      return compareVars(left.v, (right as typeof left).v);
    case "GInt":
      return compareLongs(left.value, (right as typeof left).value);
    case "GString":
    case "GUri":
      return atoms.texts(left.value, (right as typeof left).value);
    case "GBool":
      // Quirk 20 §9.3: true comes before false.
      return compareFlags((right as typeof left).value, left.value);
    case "GByteArray":
      return atoms.bytes(left.value, (right as typeof left).value);
    default:
      return compareCompounds(left, right, atoms);
  }
}

function compareCompounds(left: Expr, right: Expr, atoms: AtomOrder): number {
  switch (left.kind) {
    case "EList":
    case "ESet":
    case "EPathMap": {
      const other = right as typeof left;
      return (
        compareRemainders(left.remainder, other.remainder) ||
        compareParLists(left.ps, other.ps, atoms) ||
        compareFlags(left.connectiveUsed, other.connectiveUsed)
      );
    }
    case "ETuple": {
      const other = right as typeof left;
      return compareParLists(left.ps, other.ps, atoms) || compareFlags(left.connectiveUsed, other.connectiveUsed);
    }
    case "EMap":
      return compareMaps(left, right as EMap, atoms);
    case "EMethod": {
      const other = right as typeof left;
      return (
        atoms.texts(left.methodName, other.methodName) ||
        compareSorted(left.target, other.target, atoms) ||
        compareParLists(left.args, other.args, atoms) ||
        compareFlags(left.connectiveUsed, other.connectiveUsed)
      );
    }
    case "EBinary":
      return (
        compareSorted(left.p1, (right as typeof left).p1, atoms) ||
        compareSorted(left.p2, (right as typeof left).p2, atoms)
      );
    case "EUnary":
      return compareSorted(left.p, (right as typeof left).p, atoms);
    case "EMatches": {
      const other = right as typeof left;
      return compareSorted(left.target, other.target, atoms) || compareSorted(left.pattern, other.pattern, atoms);
    }
    default:
      return compareRare(left, right, atoms);
  }
}

/**
 * Compares the kinds of expressions that only f1r3node has. Zippers and doubles have one rank, the first of which is a
 * node, above any leaf.
 */
function compareRare(left: Expr, right: Expr, atoms: AtomOrder): number {
  if (left.kind !== right.kind) return left.kind === "EZipper" ? 1 : -1;
  switch (left.kind) {
    case "EZipper":
      return compareZippers(left, right as EZipper, atoms);
    case "GDouble":
      return compareLongs(BigInt.asIntN(64, left.bits), BigInt.asIntN(64, (right as typeof left).bits));
    case "GBigInt":
      return atoms.bytes(left.value, (right as typeof left).value);
    case "GBigRational": {
      const other = right as typeof left;
      return atoms.bytes(left.numerator, other.numerator) || atoms.bytes(left.denominator, other.denominator);
    }
    case "GFixedPoint": {
      const other = right as typeof left;
      return atoms.bytes(left.unscaled, other.unscaled) || left.scale - other.scale;
    }
    default:
      return 0;
  }
}

/** Compares zippers by their maps' elements: neither the remainder nor the path counts. @spec 20 §14.3 */
function compareZippers(left: EZipper, right: EZipper, atoms: AtomOrder): number {
  return (
    compareParLists(left.pathMap?.ps ?? none, right.pathMap?.ps ?? none, atoms) ||
    compareFlags(left.connectiveUsed, right.connectiveUsed)
  );
}

/** Quirk 20 §9.3: the values of a map do not count. */
function compareMaps(left: EMap, right: EMap, atoms: AtomOrder): number {
  const byRemainder = compareRemainders(left.remainder, right.remainder);
  if (byRemainder !== 0) return byRemainder;
  const length = Math.min(left.kvs.length, right.kvs.length);
  for (let i = 0; i < length; i += 1) {
    const order = compareSorted(left.kvs[i]!.key, right.kvs[i]!.key, atoms);
    if (order !== 0) return order;
  }
  return left.kvs.length - right.kvs.length || compareFlags(left.connectiveUsed, right.connectiveUsed);
}

/**
 * Order of two sorted `new`s: the number of names, the URIs (or 0), the injections (or 0), the body.
 *
 * Parts at the same place may be of different kinds. In ascending order: the leaf 0, a URI, the body (a node that
 * starts with a number), an injection (a node that starts with a text).
 *
 * @spec 20 §9.3
 */
export function compareNews(left: New, right: New, atoms: AtomOrder): number {
  if (left.bindCount !== right.bindCount) return left.bindCount - right.bindCount;
  const lengths = Math.min(left.uri.length, right.uri.length);
  for (let i = 0; i < lengths; i += 1) {
    const order = atoms.texts(left.uri[i]!, right.uri[i]!);
    if (order !== 0) return order;
  }
  if (left.uri.length !== right.uri.length) return compareUriEnds(left, right, lengths);
  return compareInjections(left, right, atoms) || compareSorted(left.p, right.p, atoms);
}

/** One side has a URI at this place, the other (if it has any) has no more. */
function compareUriEnds(left: New, right: New, place: number): number {
  const shorter = left.uri.length < right.uri.length ? left : right;
  // With no URI at all the leaf 0 is there; else an injection (a node, above a URI) or the leaf 0.
  const isShorterAbove = place > 0 && shorter.injections.size > 0;
  return (shorter === left) === isShorterAbove ? 1 : -1;
}

function compareInjections(left: New, right: New, atoms: AtomOrder): number {
  if (left.injections === right.injections) return 0;
  const others = right.injections.entries();
  for (const [urn, value] of left.injections) {
    const other = others.next();
    // Either the leaf 0 or, where injections have ended, the body: both are below an injection.
    if (other.done === true) return 1;
    const order = atoms.texts(urn, other.value[0]) || compareSorted(sortedOf(value), sortedOf(other.value[1]), atoms);
    if (order !== 0) return order;
  }
  return others.next().done === true ? 0 : -1;
}

/** Values of injections stay as they are in a sorted term, which remembers how they are sorted. */
function sortedOf(value: Par): Par {
  return value.cachedSorted ?? value;
}
