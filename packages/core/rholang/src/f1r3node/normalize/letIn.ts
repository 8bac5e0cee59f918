import type { F1r3nodeParBuilder } from "@vedette/terms";
import type { FreeMap } from "../../normalize/FreeMap.js";
import type { F1r3nodeLetProcess, F1r3nodeProcess } from "../syntax/ast.js";
import { desugarConcurrentLet } from "./desugar.js";
import type { F1r3nodeNormalizer } from "./F1r3nodeNormalizer.js";

/**
 * `let d1; d2 in body` → `match [value] { [*name] => match … }`; concurrent, channels of its own.
 *
 * @spec 20 §14.3, 61 §5
 */
export function normalizeLet(
  process: F1r3nodeLetProcess & { readonly span: number },
  into: F1r3nodeParBuilder,
  free: FreeMap,
  normalizer: F1r3nodeNormalizer,
): void {
  const made = process.concurrent ? desugarConcurrentLet(process, process.span, normalizer) : nestedMatches(process);
  normalizer.process(made, into, free);
}

function nestedMatches({ declarations, body }: F1r3nodeLetProcess): F1r3nodeProcess {
  return declarations.reduceRight<F1r3nodeProcess>((inner, { patterns, value }) => {
    const { span } = value;
    // Quirk 61 §4: a remainder alone becomes a wildcard for the one value.
    const [name = { kind: "NameWildcard" } as const] = patterns.names;
    const pattern = listOf({ kind: "Eval", name, span }, span);
    return { kind: "Match", target: listOf(value, span), cases: [{ pattern, guard: undefined, body: inner }], span };
  }, body);
}

function listOf(element: F1r3nodeProcess, span: number): F1r3nodeProcess {
  return { kind: "List", elements: [element], remainder: undefined, span };
}
