import { f1r3nodeTerms, type Par, rnodeTerms, type TermCodec } from "@vedette/terms";
import { compile } from "../compile.js";
import { f1r3nodeGrammar } from "../f1r3node/f1r3nodeGrammar.js";
import { substituteNoSortAndCharge as substituteF1r3node } from "../f1r3node/substitute/f1r3nodeSubstitute.js";
import { f1r3nodeUrns } from "../f1r3node/system/f1r3nodeChannels.js";
import type { Grammar } from "../grammar/Grammar.js";
import { urnMap } from "../system/channels.js";
import { Environment } from "./Environment.js";
import { substituteNoSort } from "./substitute/substitute.js";

/** How a dialect turns a program into the terms that its receives leave in a state. */
export interface ProgramForms {
  readonly compile: Grammar["compile"];
  readonly terms: TermCodec;
  /** The values that `new x(urn)` binds. */
  readonly urns: ReadonlyMap<string, Par>;
  /**
   * Puts values in the place of the variables of surrounding binders.
   *
   * @param depth  0 for a process, 1 for a pattern
   * @param values of all surrounding binders, the innermost last
   * @param own    variables that the receive itself binds, which stay
   * @throws {InterpreterError}
   */
  substitute(term: Par, depth: number, values: readonly Par[], own: number): Par;
}

const environment = (values: readonly Par[], own: number) => Environment.of([...values]).shifted(own);
const free = { charge: () => {} };

export const rnodeForms: ProgramForms = {
  compile,
  terms: rnodeTerms,
  urns: urnMap,
  substitute: (term, depth, values, own) => rnodeTerms.sortPar(substituteNoSort(term, depth, environment(values, own))),
};

export const f1r3nodeForms: ProgramForms = {
  compile: f1r3nodeGrammar.compile,
  terms: f1r3nodeTerms,
  urns: f1r3nodeUrns,
  substitute: (term, depth, values, own) =>
    f1r3nodeTerms.sortPar(substituteF1r3node(term, depth, environment(values, own), free)),
};
