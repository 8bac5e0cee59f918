import { RustRandom } from "@vedette/crypto";
import { rustTerms } from "@vedette/terms";
import { rustSpace } from "@vedette/tuplespace";
import { compileRustWithPlaces } from "../rust/compileRustWithPlaces.js";
import { evaluateRust } from "../rust/evaluate/evaluateRust.js";
import { receiveGuardHolds } from "../rust/guard/evalGuard.js";
import { matchRustDatum, matchRustPar } from "../rust/match/matchRustPar.js";
import { rustGrammar } from "../rust/rustGrammar.js";
import { bootstrapRust } from "../rust/system/bootstrapRust.js";
import { installRustProcesses } from "../rust/system/rustChannels.js";
import type { Interpreter } from "./Interpreter.js";

/** Programs on networks of the newer node. @spec 61 §4–§8 */
export const rustInterpreter: Interpreter<RustRandom> = {
  grammar: { ...rustGrammar, compileWithPlaces: compileRustWithPlaces },
  terms: rustTerms,
  space: rustSpace,
  random: RustRandom,
  evaluate: evaluateRust,
  matchPar: matchRustPar,
  matchDatum: matchRustDatum,
  guardHolds: receiveGuardHolds,
  install: installRustProcesses,
  bootstrap: bootstrapRust,
};
