import type { EMethod, Par } from "@vedette/terms";
import type { Charger } from "../../cost/Phlo.js";
import type { Environment } from "../Environment.js";
import { Evaluator, isOneExpr } from "./Evaluator.js";
import { isSelfEvaluating } from "./selfEvaluating.js";
import { lookUp } from "./variable.js";

/**
 * Evaluates the top-level expressions of a Par; processes in it are not run.
 *
 * @spec 21 §5.1
 * @returns the same object where there is nothing to evaluate
 * @throws {InterpreterError} what an expression fails with
 * @throws {FatalError} for an exception that rnode's interpreter does not know (21 §9.3)
 */
export function evalExpr(par: Par, env: Environment, phlo: Charger): Par {
  if (isSelfEvaluating(par)) return par;
  if (isOneExpr(par) && par.exprs[0]!.kind === "EVar") {
    const value = lookUp(par.exprs[0]!.v, env, phlo);
    return isSelfEvaluating(value) ? value : new Evaluator(env, phlo).par(value);
  }
  return new Evaluator(env, phlo).par(par);
}

/** Evaluates a method call; its result may be any process. @spec 21 §3.9, §6.1 */
export function evalMethod(call: EMethod, env: Environment, phlo: Charger): Par {
  return new Evaluator(env, phlo).method(call);
}
