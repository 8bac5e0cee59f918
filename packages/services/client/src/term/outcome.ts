import type { Par } from "@vedette/terms";
import { RhoTuple, type RhoValue } from "../value/RhoValue.js";
import { rhoValueOfPar } from "../value/rhoPar.js";

/** The result of a reported transfer, bond or unbond. */
export type ContractCallOutcome = { readonly status: "done" } | { readonly status: "refused"; readonly reason: string };

/**
 * Reads what a reported term sent to its deploy id: `(true, Nil)`, `(false, reason)` or `("error", what, reason)`.
 *
 * @spec 41 §10.2, §6.8.2, §6.9.3
 * @returns `undefined` where none of it is there
 */
export function readOutcome(data: readonly Par[]): ContractCallOutcome | undefined {
  return outcomeOfValues(data.map(rhoValueOfPar));
}

/** Like {@link readOutcome}, for values that came over HTTP. @spec 41 §10.2 */
export function outcomeOfValues(values: readonly (RhoValue | undefined)[]): ContractCallOutcome | undefined {
  for (const value of values) {
    const outcome = value instanceof RhoTuple ? ofTuple(value.items) : undefined;
    if (outcome !== undefined) return outcome;
  }
  return undefined;
}

function ofTuple([first, ...others]: readonly RhoValue[]): ContractCallOutcome | undefined {
  if (typeof first === "boolean" && others.length === 1) {
    return first ? { status: "done" } : { status: "refused", reason: textOf(others[0]!) };
  }
  return first === "error" ? { status: "refused", reason: others.map(textOf).join(": ") } : undefined;
}

function textOf(value: RhoValue): string {
  if (typeof value === "string") return value;
  return value === null ? "no reason given" : "a reason that is no text";
}
