import type { Par } from "@vedette/terms";

/**
 * Whether a Par has no processes, names or bundles; it may have any number of expressions. Callers that depend on
 * connectives and conditionals check these themselves.
 */
export function hasOnlyExprs(par: Par): boolean {
  return (
    par.sends.length === 0 &&
    par.receives.length === 0 &&
    par.news.length === 0 &&
    par.matches.length === 0 &&
    par.unforgeables.length === 0 &&
    par.bundles.length === 0
  );
}
