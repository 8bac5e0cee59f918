import type { Par, Var } from "@vedette/terms";
import { type KnownValue, readValue, unknownValue } from "./KnownValue.js";

/** Whether a value matches a pattern; `maybe` where too little is known of it. */
export type Verdict = "yes" | "no" | "maybe";

/**
 * Matches values against the patterns of a bind or a case, as far as they are known.
 *
 * @param patterns one for each value
 * @param bound takes what each variable captures, by its level
 * @param depth of patterns within each other
 */
export function bindPatterns(
  patterns: readonly Par[],
  values: readonly KnownValue[] | undefined,
  bound: KnownValue[],
  depth = 0,
): Verdict {
  if (values !== undefined && values.length !== patterns.length) return "no";
  let verdict: Verdict = "yes";
  for (const [index, pattern] of patterns.entries()) {
    const found = bindPattern(pattern, values?.[index] ?? unknownValue, bound, depth);
    if (found === "no") return "no";
    if (found === "maybe") verdict = "maybe";
  }
  return verdict;
}

const maxDepth = 8;

function bindPattern(pattern: Par, value: KnownValue, bound: KnownValue[], depth: number): Verdict {
  const variable = variableOf(pattern);
  if (variable !== undefined) return bindVariable(variable, value, bound);
  const { kind, parts } = partsOf(pattern);
  if (parts === undefined || depth > maxDepth) return verdictOfLiteral(readValue(pattern, undefined), value);
  // The registry keeps a value that is registered by a key with its number: (number, value).
  const items = value.kind === "contract" && kind === "tuple" ? [unknownValue, value] : itemsOf(value, kind);
  if (items === undefined && value.kind !== "unknown" && value.kind !== "contract") return "no";
  const found = bindPatterns(parts, items, bound, depth + 1);
  return items === undefined && found === "yes" ? "maybe" : found;
}

function bindVariable(variable: Var, value: KnownValue, bound: KnownValue[]): Verdict {
  if (variable.kind === "FreeVar") bound[variable.index] = value;
  return variable.kind === "FreeVar" || variable.kind === "Wildcard" ? "yes" : "maybe";
}

function verdictOfLiteral(pattern: KnownValue, value: KnownValue): Verdict {
  if (pattern.kind === "unknown" || value.kind === "unknown" || value.kind === "contract") return "maybe";
  if (pattern.kind !== value.kind) return "no";
  return "value" in pattern && "value" in value && pattern.value !== value.value ? "no" : "yes";
}

function variableOf(pattern: Par): Var | undefined {
  const expr = onlyExpr(pattern);
  return expr?.kind === "EVar" ? expr.v : undefined;
}

function partsOf(pattern: Par): { readonly kind?: "tuple" | "list"; readonly parts?: readonly Par[] } {
  const expr = onlyExpr(pattern);
  if (expr?.kind === "ETuple") return { kind: "tuple", parts: expr.ps };
  return expr?.kind === "EList" && expr.remainder === undefined ? { kind: "list", parts: expr.ps } : {};
}

function itemsOf(value: KnownValue, kind: "tuple" | "list" | undefined): readonly KnownValue[] | undefined {
  return value.kind === kind && "items" in value ? value.items : undefined;
}

/** Returns the expression of a process that is one. */
function onlyExpr({ exprs, sends, receives, news, matches, bundles, connectives, unforgeables, conditionals }: Par) {
  const others = sends.length + receives.length + news.length + matches.length + bundles.length;
  const isAlone = others + connectives.length + unforgeables.length + conditionals.length === 0;
  return isAlone && exprs.length === 1 ? exprs[0] : undefined;
}
