import type { BindPattern, Par } from "@vedette/terms";
import { exprLook } from "./plainLooks.js";

/** A bind whose datum must have a plain value at a place. */
export interface GuardLook {
  readonly bind: number;
  /** The place of the value in the datum. */
  readonly at: number;
  readonly value: string;
}

/**
 * Finds the values that a guard requires of single data: a variable that is all of its pattern equals a plain value.
 * A guard that is a conjunction requires both sides.
 *
 * @spec 61 §6.3
 */
export function guardLooks(guard: Par, patterns: readonly BindPattern[]): readonly GuardLook[] {
  const looks: GuardLook[] = [];
  const sides = [guard];
  for (let next = sides.pop(); next !== undefined; next = sides.pop()) {
    const expr = onlyExpr(next);
    if (expr?.kind !== "EBinary") continue;
    if (expr.operator === "EAnd") sides.push(expr.p1, expr.p2);
    else if (expr.operator === "EEq") {
      const look = equalLook(expr.p1, expr.p2, patterns) ?? equalLook(expr.p2, expr.p1, patterns);
      if (look !== undefined) looks.push(look);
    }
  }
  return looks;
}

function equalLook(variable: Par, plain: Par, patterns: readonly BindPattern[]): GuardLook | undefined {
  const name = onlyExpr(variable);
  const other = onlyExpr(plain);
  const value = other === undefined ? undefined : exprLook(other);
  if (value === undefined || name?.kind !== "EVar" || name.v.kind !== "BoundVar") return undefined;
  // The last variable of the last bind has index 0.
  let level = -1 - name.v.index;
  for (const { freeCount } of patterns) level += freeCount;
  for (let bind = 0; bind < patterns.length && level >= 0; bind += 1) {
    const pattern = patterns[bind]!;
    if (level < pattern.freeCount) {
      const at = pattern.patterns.findIndex((one) => isVariable(one, level));
      return at < 0 ? undefined : { bind, at, value };
    }
    level -= pattern.freeCount;
  }
  return undefined;
}

function isVariable(pattern: Par, level: number): boolean {
  const expr = onlyExpr(pattern);
  return expr?.kind === "EVar" && expr.v.kind === "FreeVar" && expr.v.index === level;
}

/** The expression that a process consists of. */
function onlyExpr(par: Par) {
  const { sends, receives, news, exprs, matches, unforgeables, bundles, connectives, conditionals } = par;
  const others = [sends, receives, news, matches, unforgeables, bundles, connectives, conditionals];
  return exprs.length === 1 && others.every(({ length }) => length === 0) ? exprs[0] : undefined;
}
