import { type Grammar, InterpreterError } from "@vedette/rholang";
import type { Par } from "@vedette/terms";
import type { KnownContracts } from "./calls.js";
import type { ProgramFact } from "./ProgramFact.js";
import { isOutput, ProgramWalk } from "./ProgramWalk.js";

/** How programs of a network are read. */
export interface ProgramRules {
  readonly grammar: Pick<Grammar, "compile">;
  readonly contracts: KnownContracts;
}

/** Longer programs are not looked at: UTF-16 units. */
export const maxProgramLength = 16_384;
/** Nor those with more tokens. */
const maxTokens = 4_000;

/**
 * Finds the effects that a program requests, as far as its text alone shows them: by the term that it compiles to,
 * never by its words. Never empty.
 *
 * @cost bounded: some milliseconds for the longest program that is read
 */
export function readProgram(source: string, { grammar, contracts }: ProgramRules): readonly ProgramFact[] {
  if (source.length > maxProgramLength) return [{ type: "other", reason: "tooLarge" }];
  const par = compiled(source, grammar);
  if (typeof par === "string") return [{ type: "other", reason: par }];
  const facts = distinct(new ProgramWalk(contracts).facts(par));
  const effects = facts.filter((fact) => !isOutput(fact));
  if (effects.length > 0) return effects;
  return facts.length > 0 ? facts : [{ type: "other", reason: "unrecognized" }];
}

function compiled(source: string, grammar: ProgramRules["grammar"]): Par | "unreadable" | "tooLarge" {
  try {
    return grammar.compile(source, undefined, maxTokens);
  } catch (error) {
    if (!(error instanceof InterpreterError)) throw error;
    const { class: kind } = error.failure;
    return kind === "ProgramTooLarge" || kind === "NestedTooDeeply" ? "tooLarge" : "unreadable";
  }
}

/** Except for transfers and bonds, equal facts are reported once. */
function distinct(facts: readonly ProgramFact[]): ProgramFact[] {
  const seen = new Set<string>();
  return facts.filter((fact) => {
    if (fact.type === "transfer" || fact.type === "bond") return true;
    const key = Object.values(fact).join("\n");
    return !seen.has(key) && seen.add(key) !== undefined;
  });
}
