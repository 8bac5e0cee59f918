import { Bundle, type Par, type ParBuilder } from "@vedette/terms";
import { type InterpreterError, printPosition, wordedError } from "../InterpreterError.js";
import type { BundleProcess } from "../syntax/ast.js";
import type { FreeMap } from "./FreeMap.js";
import type { Normalizer } from "./Normalizer.js";

/** `bundle{ body }` and its kin. @spec 20 §7.12 */
export function normalizeBundle(
  { body, writeFlag, readFlag, position }: BundleProcess,
  into: ParBuilder,
  free: FreeMap,
  normalizer: Normalizer,
): void {
  const connectivesBefore = free.connectives.length;
  const par = normalizer.alone(body, free);
  if (par.connectives.length > 0) throw topLevelConnective(position, normalizer);
  // Quirk 20 §7.12: the part before the bundle in the same pattern counts as its content.
  if (free.wildcards.length > 0 || free.nextLevel > 0) throw freeContent(free, position, normalizer);
  free.connectives.length = connectivesBefore;
  const inner = singleBundle(par);
  into.addBundle(
    inner === undefined
      ? new Bundle(par, writeFlag, readFlag)
      : new Bundle(inner.body, writeFlag && inner.writeFlag, readFlag && inner.readFlag),
  );
}

function singleBundle(par: Par): Bundle | undefined {
  const bundle = par.bundles[0];
  if (bundle === undefined || par.bundles.length !== 1) return undefined;
  const others = par.sends.length + par.receives.length + par.news.length + par.exprs.length + par.matches.length;
  return others === 0 ? bundle : undefined;
}

function topLevelConnective(position: number, normalizer: Normalizer): InterpreterError {
  const at = normalizer.positionAt(position);
  const text = `Illegal top level connective in bundle at position: line: ${at.line}, column: ${at.column}.`;
  return wordedError("UnexpectedBundleContent", text, at);
}

function freeContent(free: FreeMap, position: number, normalizer: Normalizer): InterpreterError {
  let text = "Bundle's content must not have free variables or wildcards.";
  const place = (offset: number) => printPosition(normalizer.positionAt(offset));
  // Quirk 20 §7.12: each wildcard brings a blank of its own.
  const wildcards = free.wildcards.map((each) => ` at ${place(each)}`);
  if (wildcards.length > 0) text += ` Wildcards positions ${wildcards.join(", ")}.`;
  const variables = free.entriesAsListed().map(([name, use]) => `\`${name}\` at ${place(use.position)}`);
  if (variables.length > 0) text += ` Free variables positions ${variables.join(", ")}.`;
  return wordedError("UnexpectedBundleContent", text, normalizer.positionAt(position));
}
