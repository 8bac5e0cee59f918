import type { Expr } from "@vedette/terms";

/**
 * Whether evaluation gives the expression itself and charges nothing: ground values and zippers.
 */
export function isRustValue(expr: Expr): boolean {
  switch (expr.kind) {
    case "GBool":
    case "GInt":
    case "GString":
    case "GUri":
    case "GByteArray":
    case "GDouble":
    case "GBigInt":
    case "GBigRational":
    case "GFixedPoint":
    case "EZipper":
      return true;
    default:
      return false;
  }
}
