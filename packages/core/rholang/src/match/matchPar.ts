import { type BindPattern, equalPar, ListParWithRandom, nil, type Par } from "@vedette/terms";
import { branches, variableLevel } from "./branching.js";
import { capturedWhole, setListRemainder } from "./captured.js";
import { isAnyRefused } from "./isRefused.js";
import { MatchState } from "./MatchState.js";
import { matchEach, matchOrderedEach } from "./matchEach.js";
import { foldStraight, matchStraight } from "./matchStraight.js";
import type { WorkMeter } from "./WorkMeter.js";

/**
 * The spatial matcher: matches a process against a pattern. It costs no phlo. f1r3node's is `F1r3nodeMatcher`.
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
  const quick = matchSimply(pattern, data.pars);
  if (quick === noMatch) return undefined;
  if (quick !== notSimple) return new ListParWithRandom(quick, data.randomState);
  if (isAnyRefused(data.pars, patterns)) return undefined;
  const state = new MatchState(meter);
  if (patterns.some(branches)) {
    if (!matchOrderedEach(data.pars, patterns, remainder, state, always)) return undefined;
  } else {
    const left = foldStraight(data.pars, patterns, remainder, state);
    if (left === undefined) return undefined;
    setListRemainder(remainder, left, state);
  }
  const values = new Array<Par>(Math.max(freeCount, 0));
  for (let level = 0; level < freeCount; level += 1) values[level] = state.get(level) ?? nil;
  return new ListParWithRandom(values, data.randomState);
}

const noMatch = "no match";
const notSimple = "not simple";

/**
 * Matches a bind with patterns that are all variables or concrete terms: nearly all binds of contracts.
 *
 * @spec 22 §2.1
 * @returns the value of each variable
 */
function matchSimply(pattern: BindPattern, data: readonly Par[]): Par[] | typeof noMatch | typeof notSimple {
  const { patterns, remainder, freeCount } = pattern;
  if (remainder !== undefined) return notSimple;
  if (patterns.length !== data.length) return noMatch;
  const values = new Array<Par>(Math.max(freeCount, 0)).fill(nil);
  for (let i = 0; i < patterns.length; i += 1) {
    const one = patterns[i]!;
    if (!one.connectiveUsed) {
      if (!equalPar(one, data[i]!)) return noMatch;
      continue;
    }
    const level = variableLevel(one);
    if (level < 0) return notSimple;
    const value = capturedWhole(data[i]!);
    if (value === undefined) return noMatch;
    if (level < freeCount) values[level] = value;
  }
  return values;
}

function always(): boolean {
  return true;
}
