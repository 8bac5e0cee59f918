import { type Expr, isNil, type Par } from "@vedette/terms";

/** What a reported transfer, bond or unbond came to. */
export type Outcome = { readonly status: "done" } | { readonly status: "refused"; readonly reason: string };

/**
 * Reads what a reported term sent to its deploy id: `(true, Nil)`, `(false, reason)` or `("error", what, reason)`.
 *
 * @spec 41 §10.2, §6.8.2, §6.9.3
 * @returns `undefined` where none of it is there
 */
export function readOutcome(data: readonly Par[]): Outcome | undefined {
  for (const par of data) {
    const outcome = ofTuple(par.exprs[0]);
    if (outcome !== undefined) return outcome;
  }
  return undefined;
}

function ofTuple(expr: Expr | undefined): Outcome | undefined {
  if (expr?.kind !== "ETuple") return undefined;
  const first = expr.ps[0]?.exprs[0];
  if (first?.kind === "GBool" && expr.ps.length === 2) {
    return first.value ? { status: "done" } : { status: "refused", reason: textOf(expr.ps[1]!) };
  }
  if (first?.kind !== "GString" || first.value !== "error") return undefined;
  return { status: "refused", reason: expr.ps.slice(1).map(textOf).join(": ") };
}

function textOf(par: Par): string {
  const expr = par.exprs[0];
  if (expr?.kind === "GString") return expr.value;
  return isNil(par) ? "no reason given" : "a reason that is no text";
}
