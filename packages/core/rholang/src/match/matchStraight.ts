import {
  type BinaryOperator,
  type Bundle,
  type Expr,
  equalBundle,
  equalExpr,
  equalMatch,
  equalNew,
  equalPar,
  equalPars,
  equalReceive,
  equalReceiveBind,
  equalSend,
  equalUnforgeable,
  exprConnectiveUsed,
  type KeyValuePair,
  type Match,
  type MatchCase,
  type New,
  type Par,
  parOfExpr,
  type Receive,
  type ReceiveBind,
  type Send,
  structuralHash,
  type Unforgeable,
  type Var,
} from "@vedette/terms";
import { variableLevel } from "./branching.js";
import {
  capturedPar,
  capturedWhole,
  foldRemainder,
  leftoverOf,
  setListRemainder,
  setMapRemainder,
  setSetRemainder,
} from "./captured.js";
import { isClosed, isClosedBundle, isClosedEntry, isClosedExpr } from "./closed.js";
import type { ElementKind } from "./ElementKind.js";
import { type FreeParts, freeParts } from "./freeParts.js";
import type { MatchState } from "./MatchState.js";
import { type Leftover, matchList } from "./matchList.js";

/**
 * Matches a pattern in which no connective makes a choice: at most one alternative, found straight on.
 *
 * Captures of a failed attempt stay in the state; a caller that goes on after a failure removes them.
 *
 * @spec 22 §1.4
 */
export function matchStraight(target: Par, pattern: Par, state: MatchState): boolean {
  if (!pattern.connectiveUsed) return equalPar(pattern, target);
  const level = variableLevel(pattern);
  if (level >= 0) {
    const value = capturedWhole(target);
    if (value !== undefined) state.set(level, value);
    return value !== undefined;
  }
  return matchLists(target, pattern, freeParts(pattern), state);
}

/** Matches the seven lists, in the order of the rule. @spec 22 §1.4, §1.7 */
function matchLists(target: Par, pattern: Par, free: FreeParts, state: MatchState): boolean {
  const sends = matchList(sendKind, target.sends, pattern.sends, free, state);
  if (sends === undefined) return false;
  const receives = matchList(receiveKind, target.receives, pattern.receives, free, state);
  if (receives === undefined) return false;
  const news = matchList(newKind, target.news, pattern.news, free, state);
  if (news === undefined) return false;
  const exprs = matchList(exprKind, target.exprs, free.exprs, free, state);
  if (exprs === undefined) return false;
  const matches = matchList(matchKind, target.matches, pattern.matches, free, state);
  if (matches === undefined) return false;
  const bundles = matchList(bundleKind, target.bundles, pattern.bundles, free, state);
  if (bundles === undefined) return false;
  const unforgeables = matchList(unforgeableKind, target.unforgeables, pattern.unforgeables, free, state);
  if (unforgeables === undefined) return false;
  if (free.level !== undefined) {
    const lists = { sends, receives, news, exprs, matches, bundles, unforgeables };
    state.set(free.level, capturedPar(target, lists));
  }
  return true;
}

/**
 * Matches two lists in order.
 *
 * @spec 22 §1.10
 * @returns the part that the remainder takes; `undefined` for no match
 */
export function foldStraight(
  targets: readonly Par[],
  patterns: readonly Par[],
  remainder: Var | undefined,
  state: MatchState,
): readonly Par[] | undefined {
  const left = foldRemainder(targets, patterns, remainder);
  if (left === undefined) return undefined;
  for (let i = 0; i < patterns.length; i += 1) if (!matchStraight(targets[i]!, patterns[i]!, state)) return undefined;
  return left;
}

/** Operators that a pattern can look into; all others match by equality alone. @spec 22 §1.9 */
export const matchableOperators: ReadonlySet<BinaryOperator> = new Set<BinaryOperator>([
  "EMult",
  "EDiv",
  "EMod",
  "EPercentPercent",
  "EPlus",
  "EPlusPlus",
  "EMinusMinus",
]);

/** Sends: channel, data and persistence match. @spec 22 §1.9 */
export const sendKind: ElementKind<Send> = {
  isConcrete: (pattern) => !pattern.connectiveUsed,
  isClosed,
  equal: equalSend,
  match: (target, pattern, state) =>
    target.persistent === pattern.persistent &&
    matchStraight(target.chan, pattern.chan, state) &&
    foldStraight(target.data, pattern.data, undefined, state) !== undefined,
};

const exactly: Leftover = { level: undefined, wildcard: false };

/** Quirk 22 §1.9: whether a receive peeks is not compared. @spec 22 §1.9 */
export const receiveKind: ElementKind<Receive> = {
  isConcrete: (pattern) => !pattern.connectiveUsed,
  isClosed,
  equal: equalReceive,
  match: (target, pattern, state) =>
    target.persistent === pattern.persistent &&
    matchList(bindKind, target.binds, pattern.binds, exactly, state) !== undefined &&
    matchStraight(target.body, pattern.body, state),
};

/** Binds: the sources match, the patterns are equal. @spec 22 §1.9 */
export const bindKind: ElementKind<ReceiveBind> = {
  isConcrete: (pattern) => !pattern.source.connectiveUsed,
  isClosed: (target) => isClosed(target.source) && target.patterns.every(isClosed),
  equal: equalReceiveBind,
  match: (target, pattern, state) =>
    equalPars(target.patterns, pattern.patterns) && matchStraight(target.source, pattern.source, state),
};

/** `new`s of equally many names, with bodies that match. @spec 22 §1.9 */
export const newKind: ElementKind<New> = {
  isConcrete: (pattern) => !pattern.p.connectiveUsed,
  isClosed,
  equal: equalNew,
  match: (target, pattern, state) =>
    target.bindCount === pattern.bindCount && matchStraight(target.p, pattern.p, state),
};

/** `match`es: target and bodies match, the cases' patterns are equal. @spec 22 §1.9 */
export const matchKind: ElementKind<Match> = {
  isConcrete: (pattern) => !pattern.connectiveUsed,
  isClosed,
  equal: equalMatch,
  match: (target, pattern, state) =>
    target.cases.length === pattern.cases.length &&
    matchStraight(target.target, pattern.target, state) &&
    target.cases.every((each, i) => matchCase(each, pattern.cases[i]!, state)),
};

/** Quirk 22 §1.9: a bundle is opaque; variables inside never match. @spec 22 §1.3, §1.9 */
export const bundleKind: ElementKind<Bundle> = {
  isConcrete: () => true,
  isClosed: isClosedBundle,
  equal: equalBundle,
  match: equalBundle,
};

/** Unforgeable names: they match when they are equal. @spec 22 §1.3, §1.9 */
export const unforgeableKind: ElementKind<Unforgeable> = {
  isConcrete: () => true,
  isClosed: () => true,
  equal: equalUnforgeable,
  match: equalUnforgeable,
};

/** Whole processes. @spec 22 §1.9 */
export const parKind: ElementKind<Par> = {
  isConcrete: (pattern) => !pattern.connectiveUsed,
  isClosed,
  equal: equalPar,
  hashOf: structuralHash,
  match: matchStraight,
};

/** Entries of a map: key and value match. @spec 22 §1.9 */
export const entryKind: ElementKind<KeyValuePair> = {
  isConcrete: (pattern) => !pattern.key.connectiveUsed && !pattern.value.connectiveUsed,
  isClosed: isClosedEntry,
  equal: (one, other) => equalPar(one.key, other.key) && equalPar(one.value, other.value),
  hashOf: entryHash,
  match: (target, pattern, state) =>
    matchStraight(target.key, pattern.key, state) && matchStraight(target.value, pattern.value, state),
};

/** Expressions. @spec 22 §1.9 */
export const exprKind: ElementKind<Expr> = {
  isConcrete: (pattern) => !exprConnectiveUsed(pattern),
  isClosed: isClosedExpr,
  equal: equalExpr,
  hashOf: exprHash,
  match: matchExpr,
};

/** The same for equal entries. */
export function entryHash({ key, value }: KeyValuePair): number {
  return (Math.imul(structuralHash(key), 31) + structuralHash(value)) | 0;
}

/** The same for equal expressions. */
export function exprHash(expr: Expr): number {
  return structuralHash(parOfExpr(expr));
}

function matchCase(target: MatchCase, pattern: MatchCase, state: MatchState): boolean {
  return equalPar(target.pattern, pattern.pattern) && matchStraight(target.source, pattern.source, state);
}

/** @spec 22 §1.9 */
function matchExpr(target: Expr, pattern: Expr, state: MatchState): boolean {
  switch (pattern.kind) {
    case "EList": {
      if (target.kind !== "EList") return false;
      const left = foldStraight(target.ps, pattern.ps, pattern.remainder, state);
      if (left === undefined) return false;
      setListRemainder(pattern.remainder, left, state);
      return true;
    }
    case "ETuple":
      return target.kind === "ETuple" && foldStraight(target.ps, pattern.ps, undefined, state) !== undefined;
    case "ESet": {
      if (target.kind !== "ESet") return false;
      const leftover = leftoverOf(pattern.remainder);
      const left = matchList(parKind, target.ps, pattern.ps, leftover, state);
      if (left === undefined) return false;
      setSetRemainder(leftover, left, state);
      return true;
    }
    case "EMap": {
      if (target.kind !== "EMap") return false;
      const leftover = leftoverOf(pattern.remainder);
      const left = matchList(entryKind, target.kvs, pattern.kvs, leftover, state);
      if (left === undefined) return false;
      setMapRemainder(leftover, left, state);
      return true;
    }
    case "EVar":
      return equalExpr(target, pattern);
    case "EUnary":
      return (
        target.kind === "EUnary" && target.operator === pattern.operator && matchStraight(target.p, pattern.p, state)
      );
    case "EBinary":
      return (
        target.kind === "EBinary" &&
        target.operator === pattern.operator &&
        matchableOperators.has(pattern.operator) &&
        matchStraight(target.p1, pattern.p1, state) &&
        matchStraight(target.p2, pattern.p2, state)
      );
    default:
      // Quirk 22 §1.9: the other operators, methods and `matches` never match a pattern that holds a variable.
      return false;
  }
}
