import { type EMatches, GBool } from "@vedette/terms";
import { matchRustPar } from "../match/matchRustPar.js";
import type { RustMethodEvaluator } from "../method/RustMethod.js";
import { substituteAndCharge } from "../substitute/rustSubstitute.js";

/** `target matches pattern`: only the substitutions are charged. @spec 21 §5.3, 22 §3 */
export function rustMatches(evaluator: RustMethodEvaluator, expr: EMatches): GBool {
  const { env, phlo } = evaluator;
  const target = substituteAndCharge(evaluator.par(expr.target), 0, env, phlo);
  const pattern = substituteAndCharge(expr.pattern, 1, env, phlo);
  return new GBool(matchRustPar(target, pattern, phlo.meter) !== undefined);
}
