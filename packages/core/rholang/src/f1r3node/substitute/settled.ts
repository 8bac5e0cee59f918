import type { Par } from "@vedette/terms";
import { settledAsPattern, settledAsProcess } from "../../match/parFacts.js";

const reachShift = 16;
const maxReach = 0x7fff;

/** The reach of a term without known facts. */
export const unknownReach = -1;

/**
 * From which shift on a substitution finds a value for none of a term's variables and cuts none of its sets of free
 * ones, so that whatever the environment it makes the same of the term: `cachedSubstituted`.
 *
 * @returns {@link unknownReach} where no substitution at such a depth has shown it yet
 * @spec 61 §6.2
 */
export function reachOf({ cachedFacts }: Par, depth: number): number {
  const isKnown = (cachedFacts & (depth === 0 ? settledAsProcess : settledAsPattern)) !== 0;
  return isKnown ? cachedFacts >>> reachShift : unknownReach;
}

/** Remembers what a substitution made of a term from `reach` on. */
export function settle(term: Par, depth: number, reach: number, result: Par): void {
  const bit = depth === 0 ? settledAsProcess : settledAsPattern;
  if (term.cachedSubstituted === undefined) {
    if (reach > maxReach) return;
    term.cachedSubstituted = result;
    term.cachedFacts |= bit | (reach << reachShift);
    // The fact at the other depth is the same, or stays unknown.
  } else if (term.cachedSubstituted === result && term.cachedFacts >>> reachShift === reach) term.cachedFacts |= bit;
}
