import { type BindPattern, ListParWithRandom, nil, type Par } from "@vedette/terms";
import type { WorkMeter } from "../../match/WorkMeter.js";
import { RustMatcher } from "./RustMatcher.js";

/**
 * Matches a process against a pattern, as the newer node does. It costs no phlo.
 *
 * @spec 61 §6
 * @param target  closed, in canonical order
 * @param pattern in canonical order
 * @param meter   counts the work, since a match may take exponential time; may throw to end it
 * @returns the captured values by level; `undefined` for no match
 * @throws {TermLimitError} `tooManyParts` where there are too many ways to split the target
 */
export function matchRustPar(target: Par, pattern: Par, meter?: WorkMeter): ReadonlyMap<number, Par> | undefined {
  const matcher = new RustMatcher(meter);
  return matcher.par(target, pattern) ? matcher.captures : undefined;
}

/**
 * Matches one datum against one bind of a waiting continuation, as the newer node does.
 *
 * @spec 22 §2.1, 61 §6
 * @returns one value for each variable (Nil where it was not bound) and the datum's random state
 */
export function matchRustDatum(
  pattern: BindPattern,
  data: ListParWithRandom,
  meter?: WorkMeter,
): ListParWithRandom | undefined {
  const { patterns, remainder, freeCount } = pattern;
  const matcher = new RustMatcher(meter);
  const left = matcher.fold(data.pars, patterns, remainder);
  if (left === undefined) return undefined;
  matcher.setRemainder(remainder, left);
  const values: Par[] = [];
  for (let level = 0; level < freeCount; level += 1) values.push(matcher.captures.get(level) ?? nil);
  return new ListParWithRandom(values, data.randomState);
}
