import type { JsonValue } from "../json/printJson.js";
import type { RhoExpr } from "./rhoExpr.js";

type Members = { readonly [name: string]: JsonValue };

/** Encodes a Rholang value for the versioned API: the kind is a member of the object. @spec 50 §1.10 */
export function taggedExpr(expr: RhoExpr): JsonValue {
  const [kind, content] = Object.entries(expr)[0]!;
  const { data, ...others } = content as Members;
  if (data === undefined) return { type: kind, ...taggedMembers(others) };
  switch (kind) {
    case "ExprUnforg":
      // A token of the system has nothing but its name.
      return { type: kind, data: typeof data === "string" ? { type: data } : taggedExpr(data as RhoExpr) };
    case "ExprTuple":
    case "ExprList":
    case "ExprSet":
    case "ExprPar":
      return { type: kind, data: (data as readonly RhoExpr[]).map(taggedExpr) };
    case "ExprMap":
      return { type: kind, data: taggedMap(data as { readonly [key: string]: RhoExpr }) };
    case "ExprBundle":
    case "ExprNot":
    case "ExprNeg":
      return { type: kind, data: taggedExpr(data as RhoExpr), ...others };
    default:
      return { type: kind, data };
  }
}

/** Those of kinds that f1r3node has: operands and arguments are values, the others are plain. */
function taggedMembers(members: Members): Members {
  const isValue = (member: JsonValue) => typeof member === "object" && member !== null && !Array.isArray(member);
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => {
      if (isValue(member)) return [name, taggedExpr(member as RhoExpr)];
      return [name, Array.isArray(member) ? (member as readonly RhoExpr[]).map(taggedExpr) : member];
    }),
  );
}

function taggedMap(members: { readonly [key: string]: RhoExpr }): JsonValue {
  const tagged: { [key: string]: JsonValue } = Object.create(null);
  for (const [key, value] of Object.entries(members)) tagged[key] = taggedExpr(value);
  return tagged;
}
