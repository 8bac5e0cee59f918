import { type EMatches, GBool } from "@vedette/terms";
import { matchPar } from "../../match/matchPar.js";
import { substituteAndCharge } from "../substitute/substitute.js";
import type { Evaluator } from "./Evaluator.js";

/** `target matches pattern`: only the substitutions are charged. @spec 21 §5.3, 22 §3 */
export function matches(evaluator: Evaluator, expr: EMatches): GBool {
  const { env, phlo } = evaluator;
  const target = substituteAndCharge(evaluator.par(expr.target), 0, env, phlo);
  const pattern = substituteAndCharge(expr.pattern, 1, env, phlo);
  return new GBool(matchPar(target, pattern, phlo.meter) !== undefined);
}
