import { toHex } from "@vedette/crypto";
import type { Expr, Par } from "../model/Par.js";

/*
 * Whether a printed text needs parentheses depends on its first and last character. These are derived from the term:
 * looking at the text would copy it at every level of a deep term, which makes printing quadratic.
 */

/** The text of a term in parentheses. Quirk 20 §12.2: `(1 + 2) * (3 + 4)` has them, whether or not they belong together. */
export function wrapTerm(text: string, par: Par): string {
  if (beginsWithParenthesis(par) && endsWithParenthesis(par)) return text;
  return readsAsInteger(par) ? text : `(${text})`;
}

/** The text of an operator and its operands in parentheses; it is never an integer. Quirk as for {@link wrapTerm}. */
export function wrapOperation(text: string, first: Par, last: Par): string {
  return beginsWithParenthesis(first) && endsWithParenthesis(last) ? text : `(${text})`;
}

function beginsWithParenthesis(par: Par): boolean {
  if (par.bundles.length + par.sends.length + par.receives.length + par.news.length > 0) return false;
  switch (par.exprs[0]?.kind) {
    case "EBinary":
    case "EMatches":
    case "ETuple":
    case "EMethod":
      return true;
    default:
      return false;
  }
}

function endsWithParenthesis(par: Par): boolean {
  if (par.connectives.length > 0) return false;
  const unforgeable = par.unforgeables.at(-1);
  if (unforgeable !== undefined) return unforgeable.kind !== "EmptyUnforgeable";
  if (par.matches.length > 0) return false;
  const expr = par.exprs.at(-1);
  if (expr !== undefined) return exprEndsWithParenthesis(expr);
  return par.sends.length > 0 && par.news.length + par.receives.length === 0;
}

function exprEndsWithParenthesis(expr: Expr): boolean {
  switch (expr.kind) {
    case "EBinary":
    case "EMatches":
    case "ETuple":
    case "ESet":
    case "EMethod":
      return true;
    case "EUnary":
      return !readsAsInteger(expr.p);
    default:
      return false;
  }
}

/** Whether the term's text is a 32-bit decimal integer. Only literals are: their bytes are digits, too, by chance. */
function readsAsInteger(par: Par): boolean {
  const expr = onlyExpr(par);
  if (expr?.kind !== "EUnary" || expr.operator !== "ENeg") return isInt32(literalText(expr));
  const negated = literalText(onlyExpr(expr.p));
  // A number that is wrapped itself, or has its own sign, is none with one more sign.
  return isInt32(negated) && isInt32(`-${negated}`);
}

function onlyExpr(par: Par): Expr | undefined {
  const others = par.bundles.length + par.sends.length + par.receives.length + par.news.length;
  const later = par.matches.length + par.unforgeables.length + par.connectives.length;
  return par.exprs.length === 1 && others + later === 0 ? par.exprs[0] : undefined;
}

function literalText(expr: Expr | undefined): string {
  if (expr?.kind === "GInt") return expr.value.toString();
  return expr?.kind === "GByteArray" ? toHex(expr.value) : "";
}

function isInt32(text: string): boolean {
  if (!/^[+-]?\d+$/.test(text)) return false;
  const value = Number(text);
  return value >= -(2 ** 31) && value < 2 ** 31;
}
