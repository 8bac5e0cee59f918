import type { Expr, Par } from "@vedette/terms";
import { hasOnlyExprs } from "../../match/hasOnlyExprs.js";
import { bundleKind, matchKind, newKind, receiveKind, sendKind, unforgeableKind } from "./elementKinds.js";
import { exprKind } from "./exprKind.js";

/** The level of the free variable that a pattern consists of. */
export function variableLevel(pattern: Par): number | undefined {
  const expr = onlyExpr(pattern);
  return expr?.kind === "EVar" && expr.v.kind === "FreeVar" ? expr.v.index : undefined;
}

/** The expression that a pattern consists of. */
export function onlyExpr(pattern: Par): Expr | undefined {
  return hasOneExpr(pattern) && pattern.connectives.length === 0 ? pattern.exprs[0] : undefined;
}

/** Whether lists of elements have no more than one expression. */
export function hasOneExpr(par: Par): boolean {
  return par.exprs.length === 1 && hasOnlyExprs(par);
}

/** Whether a variable takes a process as it is. */
export function isTakenWhole(target: Par): boolean {
  return (
    canBeKept(target) &&
    target.sends.every(sendKind.isClosed) &&
    target.receives.every(receiveKind.isClosed) &&
    target.news.every(newKind.isClosed) &&
    target.exprs.every(exprKind.isClosed) &&
    target.matches.every(matchKind.isClosed) &&
    target.bundles.every(bundleKind.isClosed) &&
    target.unforgeables.every(unforgeableKind.isClosed)
  );
}

/** Whether a capture of all of a process has everything that the process has. */
export function canBeKept(target: Par): boolean {
  const lost = target.connectives.length + target.conditionals.length + target.locallyFree.length;
  return lost === 0 && !target.connectiveUsed;
}
