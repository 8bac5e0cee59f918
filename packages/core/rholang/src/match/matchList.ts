import { bugFoundError } from "../InterpreterError.js";
import { Assignment } from "./Assignment.js";
import type { BranchingKind, ElementKind } from "./ElementKind.js";
import type { Captures, MatchState } from "./MatchState.js";

/** How the leftover of the targets is captured. @spec 22 §1.7 */
export interface Leftover {
  /** Level of the variable that captures what is left over. */
  readonly level: number | undefined;
  /** Whatever is left over is accepted. */
  readonly wildcard: boolean;
}

const nothing: readonly never[] = [];

/**
 * Matches a list without order, with patterns that have no alternatives.
 *
 * @spec 22 §1.7
 * @returns the part of this list that the leftover variable captures (empty without one); `undefined` for no match
 */
export function matchList<T>(
  kind: ElementKind<T>,
  targets: readonly T[],
  patterns: readonly T[],
  leftover: Leftover,
  state: MatchState,
): readonly T[] | undefined {
  if (!lengthsFit(targets, patterns, leftover)) return undefined;
  const level = leftover.level;
  if (patterns.length === 0) {
    if (level === undefined) return nothing;
    for (let i = 0; i < targets.length; i += 1) if (!kind.isClosed(targets[i]!)) return undefined;
    return targets;
  }
  if (targets.length === 1) return matchElement(kind, targets[0]!, patterns[0]!, state) ? nothing : undefined;
  const remainders = level === undefined ? 0 : targets.length - patterns.length;
  const assignment = Assignment.of({ kind, targets, patterns, remainders, state });
  if (assignment.advance() !== "found") return undefined;
  merge(assignment.captures(), state);
  return level === undefined ? nothing : assignment.remainder();
}

/** The lists of a match where a pattern may match in several ways. */
export interface BranchingList<T> {
  readonly kind: BranchingKind<T>;
  readonly targets: readonly T[];
  readonly patterns: readonly T[];
  readonly leftover: Leftover;
}

/**
 * Matches a list without order, for one way after the other: calls `next` with what is left over until it gives
 * true; else leaves the state as it was.
 *
 * @spec 22 §1.7
 */
export function matchListEach<T>(
  list: BranchingList<T>,
  state: MatchState,
  next: (left: readonly T[]) => boolean,
): boolean {
  const { kind, targets, patterns, leftover } = list;
  if (!patterns.some(kind.branches)) {
    const mark = state.mark();
    const left = matchList(kind, targets, patterns, leftover, state);
    if (left !== undefined && next(left)) return true;
    state.undoTo(mark);
    return false;
  }
  if (!lengthsFit(targets, patterns, leftover)) return false;
  const remainders = leftover.level === undefined ? 0 : targets.length - patterns.length;
  const assignment = Assignment.of({ kind, targets, patterns, remainders, state, branches: kind.branches });
  return searchEach(assignment, list, state, next);
}

function lengthsFit(targets: readonly unknown[], patterns: readonly unknown[], leftover: Leftover): boolean {
  return leftover.level === undefined && !leftover.wildcard
    ? patterns.length === targets.length
    : patterns.length <= targets.length;
}

function matchElement<T>(kind: ElementKind<T>, target: T, pattern: T, state: MatchState): boolean {
  return kind.isConcrete(pattern) ? kind.equal(target, pattern) : kind.match(target, pattern, state);
}

function searchEach<T>(
  assignment: Assignment<T>,
  list: BranchingList<T>,
  state: MatchState,
  next: (left: readonly T[]) => boolean,
): boolean {
  const mark = state.mark();
  for (;;) {
    const progress = assignment.advance();
    if (progress === "failed") return false;
    if (progress === "found") {
      merge(assignment.captures(), state);
      if (next(list.leftover.level === undefined ? nothing : assignment.remainder())) return true;
      state.undoTo(mark);
      return false;
    }
    let passed = false;
    const done = list.kind.matchEach(assignment.dueTarget, assignment.duePattern, state, () => {
      passed = true;
      const captures = state.capturesSince(mark);
      state.undoTo(mark);
      const branch = assignment.copy();
      branch.settle(captures);
      if (searchEach(branch, list, state, next)) return true;
      // The match goes on to look for its next alternative, and expects its own captures in the state.
      state.apply(captures);
      return false;
    });
    if (done) return true;
    if (passed) return false;
    assignment.settle(false);
  }
}

/** Takes over what the slots captured. @spec 22 §1.7 */
function merge(all: readonly Captures[], state: MatchState): void {
  if (all.length === 1) {
    state.apply(all[0]!);
    return;
  }
  const owners = new Map<number, Captures>();
  for (const captures of all) {
    for (const level of captures.levels) {
      const owner = owners.get(level);
      if (owner !== undefined && owner !== captures)
        throw bugFoundError("Aggregated updates conflicted with each other: two parts of a pattern bind one variable");
      if (state.get(level) === undefined) owners.set(level, captures);
    }
  }
  for (const captures of all) state.apply(captures);
}
