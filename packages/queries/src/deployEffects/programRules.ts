import { systemNames } from "@vedette/client";
import { type BlockForm, rnodeRust } from "@vedette/protocol";
import { compile, rustGrammar } from "@vedette/rholang";
import type { ProgramRules } from "./readProgram.js";

const scalaPrograms: ProgramRules = { grammar: { compile }, contracts: systemNames["rnode-scala"] };
const rustPrograms: ProgramRules = { grammar: rustGrammar, contracts: systemNames["rnode-rust"] };

/** How programs are read, by the form that a chain's blocks have; left out: the reference node's. */
export function programRulesOf(form: BlockForm | undefined): ProgramRules {
  return form === rnodeRust.blockForm ? rustPrograms : scalaPrograms;
}
