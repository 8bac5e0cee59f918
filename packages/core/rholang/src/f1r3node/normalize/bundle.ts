import { Bundle, type F1r3nodeParBuilder, type Par } from "@vedette/terms";
import { type InterpreterError, spannedError } from "../../InterpreterError.js";
import type { FreeMap } from "../../normalize/FreeMap.js";
import type { F1r3nodeProcess } from "../syntax/ast.js";
import type { F1r3nodeNormalizer } from "./F1r3nodeNormalizer.js";

/** `bundle{ body }` and its kin. @spec 20 §7.12 */
export function normalizeBundle(
  { body, writeFlag, readFlag }: Extract<F1r3nodeProcess, { kind: "Bundle" }>,
  into: F1r3nodeParBuilder,
  free: FreeMap,
  normalizer: F1r3nodeNormalizer,
): void {
  const connectivesBefore = free.connectives.length;
  const par = normalizer.alone(body, free);
  if (par.connectives.length > 0) throw topLevelConnective(body, normalizer);
  // Quirk 20 §7.12: the part before the bundle in the same pattern counts as its content.
  if (free.wildcards.length > 0 || free.nextLevel > 0) throw freeContent(free, body, normalizer);
  free.connectives.length = connectivesBefore;
  const inner = singleBundle(par);
  into.addBundle(
    inner === undefined
      ? new Bundle(par, writeFlag, readFlag)
      : new Bundle(inner.body, writeFlag && inner.writeFlag, readFlag && inner.readFlag),
  );
}

function singleBundle(par: Par): Bundle | undefined {
  const [bundle] = par.bundles;
  if (bundle === undefined || par.bundles.length !== 1) return undefined;
  const others =
    par.sends.length +
    par.receives.length +
    par.news.length +
    par.exprs.length +
    par.matches.length +
    par.unforgeables.length;
  return others === 0 ? bundle : undefined;
}

function topLevelConnective(body: F1r3nodeProcess, { spans }: F1r3nodeNormalizer): InterpreterError {
  const at = spans.startAt(body.span);
  const text = `Illegal top-level connective in bundle at line ${at.line}, column ${at.column}.`;
  return spannedError("UnexpectedBundleContent", `Unexpected bundle content: ${text}`, at);
}

function freeContent(free: FreeMap, body: F1r3nodeProcess, { spans }: F1r3nodeNormalizer): InterpreterError {
  const placed = (what: string, span: number): string => {
    const { line, column } = spans.startAt(span);
    return `${what} at line ${line}, column ${column}`;
  };
  const sentence = "Bundle's content must not have free variables or wildcards.";
  // f1r3node repeats the sentence.
  let text = `Unexpected bundle content: ${sentence} ${sentence}`;
  const wildcards = free.wildcards.map((span) => placed("", span));
  if (wildcards.length > 0) text += ` Wildcards positions: ${wildcards.join(", ")}`;
  const variables = [...free.entries()].map(([name, use]) => placed(`\`${name}\``, use.position));
  if (variables.length > 0) text += ` Free variables positions: ${variables.join(", ")}`;
  return spannedError("UnexpectedBundleContent", text, spans.startAt(body.span));
}
