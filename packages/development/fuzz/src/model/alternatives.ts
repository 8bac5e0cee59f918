import type { Par } from "@vedette/terms";
import type { Captured } from "./plainTerms.js";

/** Ways in which a pattern matches, in the order in which they are found. */
export type Alternatives = Generator<Captured>;

export function hasAny(alternatives: Alternatives): boolean {
  return alternatives.next().done !== true;
}

export function* none(): Alternatives {}

export function* following(first: Alternatives, second: (captured: Captured) => Alternatives): Alternatives {
  for (const captured of first) yield* second(captured);
}

export function* chained(
  found: Generator<[Par, Captured]>,
  next: (rest: Par, captured: Captured) => Alternatives,
): Generator<[Par, Captured]> {
  for (const [rest, captured] of found) for (const state of next(rest, captured)) yield [rest, state];
}
