import type { Par } from "@vedette/terms";

/**
 * Whether a Par has no processes, names or bundles beside its expressions, if it has any. Connectives and conditionals
 * are not looked at: whom they matter to looks himself.
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
