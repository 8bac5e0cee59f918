import type { Expr, Par } from "@vedette/terms";

/** The only expression of a Par that holds nothing else. */
export function onlyExpr(par: Par): Expr | undefined {
  return par.exprs.length === 1 &&
    par.sends.length === 0 &&
    par.receives.length === 0 &&
    par.news.length === 0 &&
    par.matches.length === 0 &&
    par.bundles.length === 0 &&
    par.unforgeables.length === 0 &&
    par.connectives.length === 0 &&
    par.conditionals.length === 0
    ? par.exprs[0]
    : undefined;
}

/** The truth value that a Par is; `undefined` where it is something else. @spec 61 §6.2 */
export function onlyBool(par: Par): boolean | undefined {
  const expr = onlyExpr(par);
  return expr?.kind === "GBool" ? expr.value : undefined;
}

const names: Readonly<Partial<Record<Expr["kind"], string>>> = {
  GBool: "Bool",
  GInt: "Int",
  GBigInt: "BigInt",
  GString: "String",
  GUri: "Uri",
  GByteArray: "ByteArray",
  EList: "List",
  ETuple: "Tuple",
  ESet: "Set",
  EMap: "Map",
  EVar: "unbound variable",
};

/** Returns the type of a condition that is not a truth value, in the words of the error. @spec 61 §6.2 */
export function conditionType(par: Par): string {
  const expr = onlyExpr(par);
  if (expr === undefined) return "non-boolean process";
  return names[expr.kind] ?? "non-boolean expression";
}
