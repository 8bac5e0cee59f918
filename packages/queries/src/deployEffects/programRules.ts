import { systemNames } from "@vedette/client";
import { type BlockForm, rnodeRust } from "@vedette/protocol";
import { compile, rustGrammar } from "@vedette/rholang";
import type { ProgramFact } from "./ProgramFact.js";
import { type ProgramRules, readProgram } from "./readProgram.js";

const scalaPrograms: ProgramRules = { grammar: { compile }, contracts: systemNames["rnode-scala"] };
const rustPrograms: ProgramRules = { grammar: rustGrammar, contracts: systemNames["rnode-rust"] };

/** How programs are read, by the form that a chain's blocks have; left out: the reference node's. */
export function programRulesOf(form: BlockForm | undefined): ProgramRules {
  return form === rnodeRust.blockForm ? rustPrograms : scalaPrograms;
}

/** Says what a program asks for. */
export type ProgramReader = (term: string) => readonly ProgramFact[];

/** As {@link readProgram}, for the chain whose blocks have this form. */
export function programReaderOf(form: BlockForm | undefined): ProgramReader {
  const rules = programRulesOf(form);
  return (term) => readProgram(term, rules);
}
