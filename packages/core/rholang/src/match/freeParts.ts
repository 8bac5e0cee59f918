import type { Expr, Par } from "@vedette/terms";
import type { Leftover } from "./matchList.js";

const nothing: readonly never[] = [];

/** The variables of a Par pattern, and its other expressions. @spec 22 §1.4 */
export interface FreeParts extends Leftover {
  readonly exprs: readonly Expr[];
}

/**
 * Takes the variables and wildcards out of a pattern's expressions.
 *
 * Quirk 22 §1.4: only the first free variable captures; a second one stays unbound.
 *
 * @spec 22 §1.4
 */
export function freeParts(pattern: Par): FreeParts {
  let level: number | undefined;
  let wildcard = false;
  let free = 0;
  for (const expr of pattern.exprs) {
    if (!isFree(expr)) continue;
    free += 1;
    if (expr.v.kind === "Wildcard") wildcard = true;
    else if (expr.v.kind === "FreeVar" && level === undefined) level = expr.v.index;
  }
  if (free === 0) return { level, wildcard, exprs: pattern.exprs };
  const exprs = free === pattern.exprs.length ? nothing : pattern.exprs.filter((expr) => !isFree(expr));
  return { level, wildcard, exprs };
}

function isFree(expr: Expr): expr is Extract<Expr, { kind: "EVar" }> {
  return expr.kind === "EVar" && (expr.v.kind === "FreeVar" || expr.v.kind === "Wildcard");
}
