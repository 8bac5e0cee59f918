import type { JsonValue } from "@vedette/api/values";
import { toHex } from "@vedette/crypto";
import { type Par, PrintError, type PrintOptions, type TermCodec } from "@vedette/terms";
import type { StateForms } from "../dialect/StateForms.js";

/** How terms are rendered. */
export interface TermRenderOptions {
  readonly forms: StateForms;
  readonly withBytes: boolean;
}

/** Renders a term for Vedette's own routes: as JSON, as Rholang, and as bytes where requested. @spec 30 §10.4 */
export function renderTerm(par: Par, { forms, withBytes }: TermRenderOptions, options?: PrintOptions): JsonValue {
  const { terms } = forms.execution;
  return {
    expr: forms.shown(par) ?? null,
    rholang: rholangText(par, terms, options),
    bytes: withBytes ? toHex(terms.encodePar(par)) : undefined,
  };
}

/** `null` for what is too large to be printed. */
function rholangText(par: Par, { printPar }: TermCodec, options?: PrintOptions): string | null {
  try {
    return printPar(par, options);
  } catch (error) {
    if (error instanceof PrintError) return null;
    throw error;
  }
}
