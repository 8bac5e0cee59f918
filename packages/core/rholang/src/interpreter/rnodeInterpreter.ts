import { SplittableRandom } from "@vedette/crypto";
import { rnodeTerms } from "@vedette/terms";
import { rnodeSpace } from "@vedette/tuplespace";
import { compile } from "../compile.js";
import { evaluate } from "../evaluate/evaluate.js";
import { matchDatum, matchPar } from "../match/matchPar.js";
import { installSystemProcesses } from "../system/install.js";
import { bootstrapRegistry } from "../system/registryBootstrap.js";
import { compileWithLocations } from "../trace/compileWithLocations.js";
import type { Interpreter } from "./Interpreter.js";

/** Programs on rnode networks. @spec 20 §3, 21 §3, 22 §1 */
export const rnodeInterpreter: Interpreter<SplittableRandom> = {
  grammar: { compile, compileWithPlaces: compileWithLocations },
  terms: rnodeTerms,
  space: rnodeSpace,
  random: SplittableRandom,
  evaluate,
  matchPar,
  matchDatum,
  guardHolds: undefined,
  install: installSystemProcesses,
  bootstrap: bootstrapRegistry,
};
