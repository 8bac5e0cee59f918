/** Longest name that is shown. */
const maxLength = 64;

/**
 * The name in a registry entry that a key signed: `(version, {"name": "…"})`.
 *
 * @param expr as the API shows an expression
 * @returns `undefined` where the entry gives no name that can be shown
 */
export function nameInEntry(expr: unknown): string | undefined {
  const parts = memberOf(memberOf(expr, "ExprTuple"), "data");
  const map = Array.isArray(parts) && parts.length === 2 ? memberOf(memberOf(parts[1], "ExprMap"), "data") : undefined;
  const name = memberOf(memberOf(memberOf(map, "name"), "ExprString"), "data");
  return typeof name === "string" && name.trim() !== "" && name.length <= maxLength ? name : undefined;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
