import { systemNames } from "@vedette/client";
import { type BlockCodec, f1r3node } from "@vedette/protocol";
import { compile, f1r3nodeGrammar } from "@vedette/rholang";
import type { ProgramFact } from "./ProgramFact.js";
import { type ProgramRules, readProgram } from "./readProgram.js";

const rnodePrograms: ProgramRules = { grammar: { compile }, contracts: systemNames.rnode };
const f1r3nodePrograms: ProgramRules = { grammar: f1r3nodeGrammar, contracts: systemNames.f1r3node };

/** How programs are read, by the form that a chain's blocks have; left out: rnode's. */
export function programRulesOf(form: BlockCodec | undefined): ProgramRules {
  return form === f1r3node.blockForm ? f1r3nodePrograms : rnodePrograms;
}

/** Reads the effects that a program requests. */
export type ProgramReader = (term: string) => readonly ProgramFact[];

/** As {@link readProgram}, for the chain with blocks of this form. */
export function programReaderOf(form: BlockCodec | undefined): ProgramReader {
  const rules = programRulesOf(form);
  return (term) => readProgram(term, rules);
}
