import { freeVar, type Par, type Var, wildcard } from "@vedette/terms";
import { spannedError } from "../../InterpreterError.js";
import { FreeMap } from "../../normalize/FreeMap.js";
import type { NormalizedPatterns } from "../../normalize/namePatterns.js";
import type { F1r3nodeNamePatterns, F1r3nodeRemainder } from "../syntax/ast.js";
import { wildcardSpan } from "../syntax/PackedSpan.js";
import type { F1r3nodeNormalizer } from "./F1r3nodeNormalizer.js";
import { putProcessVariable } from "./variable.js";

/**
 * The patterns of a receive's bind or of a contract, with a free map of their own; the remainder comes last.
 *
 * @spec 20 §7.10 (2), §7.11
 * @throws {InterpreterError} `PatternReceiveError` for `\/` and `~` in a pattern that is in no other pattern
 */
export function normalizeNamePatterns(
  { names, remainder }: F1r3nodeNamePatterns,
  normalizer: F1r3nodeNormalizer,
): NormalizedPatterns {
  const free = new FreeMap();
  const isOutermost = normalizer.scope.depth === 0;
  normalizer.scope.enterPattern();
  const patterns: Par[] = [];
  let checked = 0;
  for (const name of names) {
    patterns.push(normalizer.name(name, free));
    for (; isOutermost && checked < free.connectives.length; checked += 1) checkConnective(free, checked, normalizer);
  }
  normalizer.scope.leavePattern();
  return { patterns, remainder: normalizeRemainder(remainder, free, normalizer), free };
}

function checkConnective(free: FreeMap, index: number, { spans }: F1r3nodeNormalizer): void {
  const { text, position } = free.connectives[index]!;
  if (text === "/\\ (conjunction)") return;
  const sentence = `Invalid pattern in the receive: ${text} at ${spans.spelled(position)}. Only logical AND is allowed.`;
  throw spannedError("PatternReceiveError", sentence, spans.startAt(position));
}

/**
 * `...x`, `...@x`, `..._`: a variable here is always a new free one of sort Process, whatever is bound outside.
 *
 * @spec 20 §7.18
 */
export function normalizeRemainder(
  remainder: F1r3nodeRemainder | undefined,
  free: FreeMap,
  normalizer: F1r3nodeNormalizer,
): Var | undefined {
  if (remainder === undefined) return undefined;
  if (remainder.name !== undefined)
    return freeVar(putProcessVariable(remainder.name, remainder.span, free, normalizer));
  free.wildcards.push(wildcardSpan);
  return wildcard;
}
