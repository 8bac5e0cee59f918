import { type Expr, equalExpr, type Par } from "@vedette/terms";

/**
 * Whether a short look shows that a process does not match a pattern with variables: it has too few parts of a kind, or
 * too many, or lacks a plain value of the pattern.
 *
 * PERF: where many patterns meet many data nearly all pairs are refused.
 *
 * @spec 22 §1.4, §1.5
 */
function isRefused(target: Par, pattern: Par): boolean {
  if (!pattern.connectiveUsed) return false;
  let isOpen = pattern.connectives.length > 0;
  let exprs = 0;
  for (const expr of pattern.exprs) {
    if (expr.kind === "EVar" && expr.v.kind !== "BoundVar") isOpen = true;
    else if (isPlain(expr) && !target.exprs.some((one) => equalExpr(one, expr))) return true;
    else exprs += 1;
  }
  const isOff = (there: number, wanted: number) => there < wanted || (!isOpen && there > wanted);
  return (
    isOff(target.exprs.length, exprs) ||
    isOff(target.sends.length, pattern.sends.length) ||
    isOff(target.receives.length, pattern.receives.length) ||
    isOff(target.news.length, pattern.news.length) ||
    isOff(target.matches.length, pattern.matches.length) ||
    isOff(target.unforgeables.length, pattern.unforgeables.length) ||
    isOff(target.bundles.length, pattern.bundles.length)
  );
}

/** The same of lists, as far as both go. */
export function isAnyRefused(targets: readonly Par[], patterns: readonly Par[]): boolean {
  const count = Math.min(targets.length, patterns.length);
  for (let i = 0; i < count; i += 1) if (isRefused(targets[i]!, patterns[i]!)) return true;
  return false;
}

function isPlain({ kind }: Expr): boolean {
  return kind === "GInt" || kind === "GString" || kind === "GBool" || kind === "GUri" || kind === "GByteArray";
}
