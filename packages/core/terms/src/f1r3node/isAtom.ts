import type { Par } from "../model/Par.js";

/** Whether a Par is one expression or one name and nothing else. */
export function isAtom(par: Par): boolean {
  return (
    par.exprs.length + par.unforgeables.length === 1 &&
    par.sends.length === 0 &&
    par.receives.length === 0 &&
    par.news.length === 0 &&
    par.matches.length === 0 &&
    par.bundles.length === 0 &&
    par.connectives.length === 0 &&
    par.conditionals.length === 0
  );
}
