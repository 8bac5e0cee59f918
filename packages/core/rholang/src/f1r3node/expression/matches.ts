import { type EMatches, GBool } from "@vedette/terms";
import { matchF1r3nodePar } from "../match/matchF1r3nodePar.js";
import type { F1r3nodeMethodEvaluator } from "../method/F1r3nodeMethod.js";
import { substituteAndCharge } from "../substitute/f1r3nodeSubstitute.js";

/** `target matches pattern`: only the substitutions are charged. @spec 21 §5.3, 22 §3 */
export function f1r3nodeMatches(evaluator: F1r3nodeMethodEvaluator, expr: EMatches): GBool {
  const { env, phlo } = evaluator;
  const target = substituteAndCharge(evaluator.par(expr.target), 0, env, phlo);
  const pattern = substituteAndCharge(expr.pattern, 1, env, phlo);
  return new GBool(matchF1r3nodePar(target, pattern, phlo.meter) !== undefined);
}
