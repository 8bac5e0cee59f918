import { type BindPattern, ListParWithRandom, nil, type Par } from "@vedette/terms";
import { isAnyRefused } from "../../match/isRefused.js";
import type { WorkMeter } from "../../match/WorkMeter.js";
import { equalWhole } from "./equalWhole.js";
import { F1r3nodeMatcher } from "./F1r3nodeMatcher.js";
import { isTakenWhole, variableLevel } from "./wholes.js";

/**
 * Matches a process against a pattern, as f1r3node does. It costs no phlo.
 *
 * @spec 61 §6
 * @param target  closed, in canonical order
 * @param pattern in canonical order
 * @param meter   counts the work, since a match may take exponential time; may throw to end it
 * @returns the captured values by level; `undefined` for no match
 * @throws {TermLimitError} `tooManyParts` where there are too many ways to split the target
 */
export function matchF1r3nodePar(target: Par, pattern: Par, meter?: WorkMeter): ReadonlyMap<number, Par> | undefined {
  if (!pattern.connectiveUsed) return equalWhole(target, pattern) ? noCaptures : undefined;
  const matcher = new F1r3nodeMatcher(meter);
  return matcher.par(target, pattern) ? matcher.captures : undefined;
}

/**
 * Matches one datum against one bind of a waiting continuation, as f1r3node does.
 *
 * @spec 22 §2.1, 61 §6
 * @returns one value for each variable (Nil where it was not bound) and the datum's random state
 */
export function matchF1r3nodeDatum(
  pattern: BindPattern,
  data: ListParWithRandom,
  meter?: WorkMeter,
): ListParWithRandom | undefined {
  const { patterns, remainder, freeCount } = pattern;
  const quick = matchSimply(pattern, data.pars);
  if (quick === noMatch) return undefined;
  if (quick !== notSimple) return new ListParWithRandom(quick, data.randomState);
  if (isAnyRefused(data.pars, patterns)) return undefined;
  const matcher = new F1r3nodeMatcher(meter);
  const left = matcher.fold(data.pars, patterns, remainder);
  if (left === undefined) return undefined;
  matcher.setRemainder(remainder, left);
  const values: Par[] = [];
  for (let level = 0; level < freeCount; level += 1) values.push(matcher.captures.get(level) ?? nil);
  return new ListParWithRandom(values, data.randomState);
}

const noCaptures: ReadonlyMap<number, Par> = new Map();
const noMatch = "no match";
const notSimple = "not simple";

/**
 * Matches a bind with patterns that are all variables or concrete terms: nearly all binds of contracts.
 *
 * @returns the value of each variable
 */
function matchSimply(pattern: BindPattern, data: readonly Par[]): Par[] | typeof noMatch | typeof notSimple {
  const { patterns, remainder, freeCount } = pattern;
  if (remainder !== undefined) return notSimple;
  if (patterns.length !== data.length) return noMatch;
  const values = new Array<Par>(Math.max(freeCount, 0)).fill(nil);
  for (let i = 0; i < patterns.length; i += 1) {
    const one = patterns[i]!;
    const target = data[i]!;
    if (!one.connectiveUsed) {
      if (!equalWhole(target, one)) return noMatch;
      continue;
    }
    const level = variableLevel(one);
    if (level === undefined || values[level] !== nil || !isTakenWhole(target)) return notSimple;
    values[level] = target;
  }
  return values;
}
