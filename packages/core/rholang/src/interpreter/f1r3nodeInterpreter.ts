import { F1r3nodeRandom } from "@vedette/crypto";
import { f1r3nodeTerms } from "@vedette/terms";
import { f1r3nodeSpace } from "@vedette/tuplespace";
import { compileF1r3nodeWithPlaces } from "../f1r3node/compileF1r3nodeWithPlaces.js";
import { evaluateF1r3node } from "../f1r3node/evaluate/evaluateF1r3node.js";
import { f1r3nodeGrammar } from "../f1r3node/f1r3nodeGrammar.js";
import { receiveGuardHolds } from "../f1r3node/guard/evalGuard.js";
import { matchF1r3nodeDatum, matchF1r3nodePar } from "../f1r3node/match/matchF1r3nodePar.js";
import { bootstrapF1r3node } from "../f1r3node/system/bootstrapF1r3node.js";
import { installF1r3nodeProcesses } from "../f1r3node/system/f1r3nodeChannels.js";
import type { Interpreter } from "./Interpreter.js";

/** Programs on f1r3node networks. @spec 61 §4–§8 */
export const f1r3nodeInterpreter: Interpreter<F1r3nodeRandom> = {
  grammar: { ...f1r3nodeGrammar, compileWithPlaces: compileF1r3nodeWithPlaces },
  terms: f1r3nodeTerms,
  space: f1r3nodeSpace,
  random: F1r3nodeRandom,
  evaluate: evaluateF1r3node,
  matchPar: matchF1r3nodePar,
  matchDatum: matchF1r3nodeDatum,
  guardHolds: receiveGuardHolds,
  install: installF1r3nodeProcesses,
  bootstrap: bootstrapF1r3node,
};
