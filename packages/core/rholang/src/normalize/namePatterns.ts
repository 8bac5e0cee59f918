import { FreeVar, type Par, type Var, wildcard } from "@vedette/terms";
import { InterpreterError, printPosition } from "../InterpreterError.js";
import type { NamePatterns, Remainder } from "../syntax/ast.js";
import { FreeMap } from "./FreeMap.js";
import type { Normalizer } from "./Normalizer.js";
import { putProcessVariable } from "./variable.js";

/** The patterns of one bind and what they bind. */
export interface NormalizedPatterns {
  readonly patterns: Par[];
  readonly remainder: Var | undefined;
  readonly free: FreeMap;
}

/**
 * The patterns of a receive's bind or of a contract, with a free map of their own; the remainder comes last.
 *
 * @spec 20 §7.10 (2), §7.11
 * @throws {InterpreterError} `PatternReceiveError` for `\/` and `~` in a pattern that is in no other pattern
 */
export function normalizeNamePatterns({ names, remainder }: NamePatterns, normalizer: Normalizer): NormalizedPatterns {
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

function checkConnective(free: FreeMap, index: number, normalizer: Normalizer): void {
  const { text, position } = free.connectives[index]!;
  if (text === "/\\ (conjunction)") return;
  const at = normalizer.positionAt(position);
  throw new InterpreterError({ class: "PatternReceiveError", connective: `${text} at ${printPosition(at)}`, at });
}

/**
 * `...x`, `...@x`, `..._`.
 *
 * Quirk 20 §7.18: a variable here is always a new free one of sort Process, whatever is bound outside.
 *
 * @spec 20 §7.18
 */
export function normalizeRemainder(
  remainder: Remainder | undefined,
  free: FreeMap,
  normalizer: Normalizer,
): Var | undefined {
  if (remainder === undefined) return undefined;
  if (remainder.name !== undefined)
    return new FreeVar(putProcessVariable(remainder.name, remainder.position, free, normalizer));
  free.wildcards.push(remainder.position);
  return wildcard;
}
