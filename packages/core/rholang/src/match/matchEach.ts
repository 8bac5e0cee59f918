import {
  type Connective,
  type Expr,
  emptyBitSet,
  equalPar,
  equalPars,
  type KeyValuePair,
  type Match,
  type New,
  Par,
  type Receive,
  type ReceiveBind,
  type Send,
  type Var,
} from "@vedette/terms";
import { addBounds, type Bounds, baseBounds, connectiveBounds, countsOf, isWithin } from "./bounds.js";
import { branches, exprBranches, matchTermBranches, newBranches, receiveBranches, sendBranches } from "./branching.js";
import {
  type CapturedLists,
  capturedPar,
  foldRemainder,
  leftoverOf,
  setListRemainder,
  setMapRemainder,
  setSetRemainder,
} from "./captured.js";
import type { BranchingKind, MatchContinuation } from "./ElementKind.js";
import { type FreeParts, freeParts } from "./freeParts.js";
import type { MatchState } from "./MatchState.js";
import { type Leftover, matchListEach } from "./matchList.js";
import {
  bindKind,
  bundleKind,
  entryKind,
  exprKind,
  matchableOperators,
  matchKind,
  matchStraight,
  newKind,
  parKind,
  receiveKind,
  sendKind,
  unforgeableKind,
} from "./matchStraight.js";
import { ParSplits } from "./ParSplits.js";

/**
 * Matches a pattern that may match in several ways: calls `next` for one alternative after the other, leftmost
 * choices varying last, until it gives true; else leaves the state as it was.
 *
 * @spec 22 §1.1, §1.4
 */
export function matchEach(target: Par, pattern: Par, state: MatchState, next: MatchContinuation): boolean {
  if (!branches(pattern)) {
    const mark = state.mark();
    if (matchStraight(target, pattern, state) && next()) return true;
    state.undoTo(mark);
    return false;
  }
  const plan = planOf(pattern);
  if (!isWithin(plan.all, countsOf(target))) return false;
  if (plan.isOneConnective) {
    state.meter?.tick(1);
    return matchConnective(withoutConnectives(target), pattern.connectives[0]!, state, next);
  }
  return matchConnectives(0, target, { pattern, plan, state, next });
}

/** The facts of a pattern with connectives that hold for every target. */
interface MatchPlan {
  readonly free: FreeParts;
  /** For each connective, what it can take. */
  readonly own: readonly Bounds[];
  /** For each connective, what those after it and the rest of the pattern can take. */
  readonly later: readonly Bounds[];
  /** The bounds of the whole pattern. */
  readonly all: Bounds;
  /** Whether there is nothing else in the pattern: the connective takes all of the target. */
  readonly isOneConnective: boolean;
}

/** PERF: a waiting pattern is matched with many data. */
const plans = new WeakMap<Par, MatchPlan>();

function planOf(pattern: Par): MatchPlan {
  let plan = plans.get(pattern);
  if (plan === undefined) plans.set(pattern, (plan = makePlan(pattern)));
  return plan;
}

function makePlan(pattern: Par): MatchPlan {
  const own = pattern.connectives.map(connectiveBounds);
  const later = new Array<Bounds>(own.length);
  let all = baseBounds(pattern);
  for (let i = own.length - 1; i >= 0; i -= 1) {
    later[i] = all;
    all = addBounds(all, own[i]!);
  }
  const isOneConnective = own.length === 1 && later[0]!.high.every((most) => most === 0);
  return { free: freeParts(pattern), own, later, all, isOneConnective };
}

/** As a part that is split off. @spec 22 §1.5 */
function withoutConnectives(target: Par): Par {
  if (target.connectives.length === 0 && target.locallyFree.length === 0 && !target.connectiveUsed) return target;
  const { sends, receives, news, exprs, matches, unforgeables, bundles } = target;
  return new Par(sends, receives, news, exprs, matches, unforgeables, bundles, [], emptyBitSet, false);
}

/** The constant inputs while the connectives of a pattern take their parts one after the other. */
interface ParMatch {
  readonly pattern: Par;
  readonly plan: MatchPlan;
  readonly state: MatchState;
  readonly next: MatchContinuation;
}

/** One way to split a process makes two new ones, and takes as long as this many tests of elements. */
const splitUnits = 256;

/** @spec 22 §1.4, §1.5 */
function matchConnectives(index: number, target: Par, match: ParMatch): boolean {
  const connective = match.pattern.connectives[index];
  if (connective === undefined) return matchLists(target, match);
  const splits = new ParSplits(target, match.plan.own[index]!, match.plan.later[index]!);
  while (splits.next()) {
    match.state.meter?.tick(splitUnits);
    const rest = splits.rest();
    const goOn = (): boolean => matchConnectives(index + 1, rest, match);
    if (matchConnective(splits.chosen(), connective, match.state, goOn)) return true;
  }
  return false;
}

/** @spec 22 §1.6, §1.11 */
function matchConnective(target: Par, connective: Connective, state: MatchState, next: MatchContinuation): boolean {
  switch (connective.kind) {
    case "ConnectiveAnd":
      return matchAll(target, connective.ps, 0, state, next);
    case "ConnectiveOr":
      // Quirk 22 §1.6: the first disjunct that can match is taken for good, and nothing is captured from it.
      return connective.ps.some((p) => canMatch(target, p, state)) && next();
    case "ConnectiveNot":
      return !canMatch(target, connective.body, state) && next();
    case "ConnectiveType":
      return singleExprKind(target) === typeKinds[connective.typeName] && next();
    case "VarRef":
    case "EmptyConnective":
      return false;
  }
}

const typeKinds = {
  Bool: "GBool",
  Int: "GInt",
  String: "GString",
  Uri: "GUri",
  ByteArray: "GByteArray",
} as const satisfies Record<string, Expr["kind"]>;

/** Quirk 22 §1.6: neither unforgeables nor connectives of the target are looked at. */
function singleExprKind(target: Par): Expr["kind"] | undefined {
  const others =
    target.sends.length + target.receives.length + target.news.length + target.matches.length + target.bundles.length;
  return others === 0 && target.exprs.length === 1 ? target.exprs[0]!.kind : undefined;
}

function matchAll(
  target: Par,
  patterns: readonly Par[],
  from: number,
  state: MatchState,
  next: MatchContinuation,
): boolean {
  const pattern = patterns[from];
  if (pattern === undefined) return next();
  return matchEach(target, pattern, state, () => matchAll(target, patterns, from + 1, state, next));
}

/** Whether there is an alternative at all; nothing stays captured. */
function canMatch(target: Par, pattern: Par, state: MatchState): boolean {
  const mark = state.mark();
  const matched = matchEach(target, pattern, state, always);
  state.undoTo(mark);
  return matched;
}

function always(): boolean {
  return true;
}

/** The seven lists, in the order of the rule, each within the continuation of the one before. @spec 22 §1.4 */
function matchLists(target: Par, { pattern, plan: { free }, state, next }: ParMatch): boolean {
  const list = <T>(
    kind: BranchingKind<T>,
    targets: readonly T[],
    patterns: readonly T[],
    goOn: (left: readonly T[]) => boolean,
  ): boolean => matchListEach({ kind, targets, patterns, leftover: free }, state, goOn);
  const finish = (lists: CapturedLists): boolean => {
    if (free.level === undefined) return next();
    const mark = state.mark();
    state.set(free.level, capturedPar(target, lists));
    if (next()) return true;
    state.undoTo(mark);
    return false;
  };
  return list(sendEach, target.sends, pattern.sends, (sends) =>
    list(receiveEach, target.receives, pattern.receives, (receives) =>
      list(newEach, target.news, pattern.news, (news) =>
        list(exprEach, target.exprs, free.exprs, (exprs) =>
          list(matchTermEach, target.matches, pattern.matches, (matches) =>
            list(bundleEach, target.bundles, pattern.bundles, (bundles) =>
              list(unforgeableEach, target.unforgeables, pattern.unforgeables, (unforgeables) =>
                finish({ sends, receives, news, exprs, matches, bundles, unforgeables }),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}

/** @spec 22 §1.10 */
function foldEach(
  targets: readonly Par[],
  patterns: readonly Par[],
  from: number,
  state: MatchState,
  next: MatchContinuation,
): boolean {
  const pattern = patterns[from];
  if (pattern === undefined) return next();
  return matchEach(targets[from]!, pattern, state, () => foldEach(targets, patterns, from + 1, state, next));
}

/**
 * Matches two lists in order, the remainder variable included.
 *
 * @spec 22 §1.9, §1.10
 */
export function matchOrderedEach(
  targets: readonly Par[],
  patterns: readonly Par[],
  remainder: Var | undefined,
  state: MatchState,
  next: MatchContinuation,
): boolean {
  const left = foldRemainder(targets, patterns, remainder);
  if (left === undefined) return false;
  return foldEach(targets, patterns, 0, state, () => {
    const mark = state.mark();
    setListRemainder(remainder, left, state);
    if (next()) return true;
    state.undoTo(mark);
    return false;
  });
}

const sendEach: BranchingKind<Send> = {
  ...sendKind,
  branches: sendBranches,
  matchEach: (target, pattern, state, next) =>
    target.persistent === pattern.persistent &&
    matchEach(target.chan, pattern.chan, state, () =>
      matchOrderedEach(target.data, pattern.data, undefined, state, next),
    ),
};

const exactly: Leftover = { level: undefined, wildcard: false };

const receiveEach: BranchingKind<Receive> = {
  ...receiveKind,
  branches: receiveBranches,
  matchEach: (target, pattern, state, next) =>
    target.persistent === pattern.persistent &&
    matchListEach({ kind: bindEach, targets: target.binds, patterns: pattern.binds, leftover: exactly }, state, () =>
      matchEach(target.body, pattern.body, state, next),
    ),
};

const bindEach: BranchingKind<ReceiveBind> = {
  ...bindKind,
  branches: (pattern) => branches(pattern.source),
  matchEach: (target, pattern, state, next) =>
    equalPars(target.patterns, pattern.patterns) && matchEach(target.source, pattern.source, state, next),
};

const newEach: BranchingKind<New> = {
  ...newKind,
  branches: newBranches,
  matchEach: (target, pattern, state, next) =>
    target.bindCount === pattern.bindCount && matchEach(target.p, pattern.p, state, next),
};

const matchTermEach: BranchingKind<Match> = {
  ...matchKind,
  branches: matchTermBranches,
  matchEach: (target, pattern, state, next) =>
    target.cases.length === pattern.cases.length &&
    target.cases.every((each, i) => equalPar(each.pattern, pattern.cases[i]!.pattern)) &&
    matchEach(target.target, pattern.target, state, () => {
      const sources = (term: Match): Par[] => term.cases.map((each) => each.source);
      return foldEach(sources(target), sources(pattern), 0, state, next);
    }),
};

const bundleEach = { ...bundleKind, branches: () => false, matchEach: () => false };
const unforgeableEach = { ...unforgeableKind, branches: () => false, matchEach: () => false };

const parEach: BranchingKind<Par> = { ...parKind, branches, matchEach };

const entryEach: BranchingKind<KeyValuePair> = {
  ...entryKind,
  branches: (pattern) => branches(pattern.key) || branches(pattern.value),
  matchEach: (target, pattern, state, next) =>
    matchEach(target.key, pattern.key, state, () => matchEach(target.value, pattern.value, state, next)),
};

const exprEach: BranchingKind<Expr> = { ...exprKind, branches: exprBranches, matchEach: matchExprEach };

/** @spec 22 §1.9 */
function matchExprEach(target: Expr, pattern: Expr, state: MatchState, next: MatchContinuation): boolean {
  switch (pattern.kind) {
    case "EList":
      return target.kind === "EList" && matchOrderedEach(target.ps, pattern.ps, pattern.remainder, state, next);
    case "ETuple":
      return target.kind === "ETuple" && matchOrderedEach(target.ps, pattern.ps, undefined, state, next);
    case "ESet": {
      if (target.kind !== "ESet") return false;
      const leftover = leftoverOf(pattern.remainder);
      const list = { kind: parEach, targets: target.ps, patterns: pattern.ps, leftover };
      return matchListEach(list, state, (left) => bound(state, next, () => setSetRemainder(leftover, left, state)));
    }
    case "EMap": {
      if (target.kind !== "EMap") return false;
      const leftover = leftoverOf(pattern.remainder);
      const list = { kind: entryEach, targets: target.kvs, patterns: pattern.kvs, leftover };
      return matchListEach(list, state, (left) => bound(state, next, () => setMapRemainder(leftover, left, state)));
    }
    case "EUnary":
      return (
        target.kind === "EUnary" && target.operator === pattern.operator && matchEach(target.p, pattern.p, state, next)
      );
    case "EBinary":
      return (
        target.kind === "EBinary" &&
        target.operator === pattern.operator &&
        matchableOperators.has(pattern.operator) &&
        matchEach(target.p1, pattern.p1, state, () => matchEach(target.p2, pattern.p2, state, next))
      );
    default:
      return false;
  }
}

/** Goes on with what `bind` sets, and takes it back where that leads nowhere. */
function bound(state: MatchState, next: MatchContinuation, bind: () => void): boolean {
  const mark = state.mark();
  bind();
  if (next()) return true;
  state.undoTo(mark);
  return false;
}
