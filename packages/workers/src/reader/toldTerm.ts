import { type JsonValue, rhoExprOf } from "@vedette/api/values";
import { toHex } from "@vedette/crypto";
import { encodePar, type Par, PrintError, type PrintOptions, printPar } from "@vedette/terms";

/** How a term is told on routes of ours: as JSON, as Rholang, and as bytes where they are asked for. @spec 30 §10.4 */
export function toldTerm(par: Par, withBytes: boolean, options?: PrintOptions): JsonValue {
  return {
    expr: rhoExprOf(par) ?? null,
    rholang: rholangText(par, options),
    bytes: withBytes ? toHex(encodePar(par)) : undefined,
  };
}

/** `null` for what is too large to be printed. */
function rholangText(par: Par, options?: PrintOptions): string | null {
  try {
    return printPar(par, options);
  } catch (error) {
    if (error instanceof PrintError) return null;
    throw error;
  }
}
