import { type BindPattern, ListParWithRandom, nil, type Par } from "@vedette/terms";
import { branches } from "./branching.js";
import { setListRemainder } from "./captured.js";
import { MatchState } from "./MatchState.js";
import { matchEach, matchOrderedEach } from "./matchEach.js";
import { foldStraight, matchStraight } from "./matchStraight.js";
import type { WorkMeter } from "./WorkMeter.js";

/**
 * Matches a process against a pattern. It costs no phlo.
 *
 * @spec 22 §1, §3
 * @param target  closed, in canonical order
 * @param pattern in canonical order
 * @param meter   counts the work, since a match may take exponential time; may throw to end it
 * @returns the captured values by level, of the first alternative; `undefined` for no match
 * @throws {InterpreterError} `BugFoundError` for a pattern that no program can have: one variable bound twice
 */
export function matchPar(target: Par, pattern: Par, meter?: WorkMeter): ReadonlyMap<number, Par> | undefined {
  const state = new MatchState(meter);
  const matched = branches(pattern) ? matchEach(target, pattern, state, always) : matchStraight(target, pattern, state);
  return matched ? state.toMap() : undefined;
}

/**
 * Matches one datum against one bind of a waiting continuation.
 *
 * @spec 22 §2.1
 * @returns one value for each variable (Nil where it was not bound) and the datum's random state
 */
export function matchDatum(
  pattern: BindPattern,
  data: ListParWithRandom,
  meter?: WorkMeter,
): ListParWithRandom | undefined {
  const { patterns, remainder, freeCount } = pattern;
  const state = new MatchState(meter);
  if (patterns.some(branches)) {
    if (!matchOrderedEach(data.pars, patterns, remainder, state, always)) return undefined;
  } else {
    const left = foldStraight(data.pars, patterns, remainder, state);
    if (left === undefined) return undefined;
    setListRemainder(remainder, left, state);
  }
  const values = new Array<Par>(freeCount);
  for (let level = 0; level < freeCount; level += 1) values[level] = state.get(level) ?? nil;
  return new ListParWithRandom(values, data.randomState);
}

function always(): boolean {
  return true;
}
