import type { JsonValue } from "../json/printJson.js";
import type { RhoExpr } from "./rhoExpr.js";

/** A Rholang value as the versioned API tells it: the kind is a member of the object. @spec 50 §1.10 */
export function taggedExpr(expr: RhoExpr): JsonValue {
  const [kind, content] = Object.entries(expr)[0]!;
  const { data } = content as { readonly data?: JsonValue };
  if (data === undefined) return { type: kind };
  switch (kind) {
    case "ExprUnforg":
      return { type: kind, data: taggedExpr(data as RhoExpr) };
    case "ExprTuple":
    case "ExprList":
    case "ExprSet":
    case "ExprPar":
      return { type: kind, data: (data as readonly RhoExpr[]).map(taggedExpr) };
    case "ExprMap":
      return { type: kind, data: taggedMap(data as { readonly [key: string]: RhoExpr }) };
    default:
      return { type: kind, data };
  }
}

function taggedMap(members: { readonly [key: string]: RhoExpr }): JsonValue {
  const tagged: { [key: string]: JsonValue } = Object.create(null);
  for (const [key, value] of Object.entries(members)) tagged[key] = taggedExpr(value);
  return tagged;
}
