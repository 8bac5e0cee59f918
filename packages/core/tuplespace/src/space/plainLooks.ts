import { hashKey } from "@vedette/protocol";
import type { Expr, GPrivate } from "@vedette/terms";

/** The maximum of characters of a text or bytes that are read, besides the length. */
const maxCharacters = 256;

/** An unforgeable name. */
export function nameLook({ id }: GPrivate): string {
  return `n${hashKey(id)}`;
}

/** A plain value; `undefined` for any other expression. */
export function exprLook(expr: Expr): string | undefined {
  switch (expr.kind) {
    case "GBool":
      return `b${expr.value}`;
    case "GInt":
      return `i${expr.value}`;
    case "GString":
      return `s${textLook(expr.value)}`;
    case "GUri":
      return `u${textLook(expr.value)}`;
    case "GByteArray":
      return `y${expr.value.length} ${hashKey(expr.value.subarray(0, maxCharacters))}`;
    default:
      return undefined;
  }
}

function textLook(text: string): string {
  return text.length <= maxCharacters ? text : `${text.length} ${text.slice(0, maxCharacters)}`;
}
