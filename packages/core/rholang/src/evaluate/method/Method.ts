import type { Expr, Par } from "@vedette/terms";
import type { Charger } from "../../cost/Phlo.js";
import { InterpreterError, reduceError } from "../../InterpreterError.js";
import type { Environment } from "../Environment.js";
import { typeName } from "../expression/typeName.js";

/** The parts of the evaluator that a method needs. @spec 21 §5.1, §6.2 */
export interface MethodEvaluator {
  readonly env: Environment;
  readonly phlo: Charger;
  /** Evaluates the expressions of a term. */
  par(par: Par): Par;
  /** Evaluates a term that must be one expression. */
  single(par: Par): Expr;
  /** Evaluates a term that must be a number of 32 bits. */
  int(par: Par): number;
}

/** A method: the number of its arguments and what it does with evaluated terms. @spec 21 §6.1 */
export interface Method {
  readonly arity: number;
  run(evaluator: MethodEvaluator, target: Par, args: readonly Par[]): Par;
}

/** The target is of a type that does not have the method. @spec 21 §6.1 */
export function methodNotDefined(method: string, target: Expr): InterpreterError {
  return new InterpreterError({ class: "MethodNotDefined", method, otherType: typeName(target) });
}

/** The only expression of a term that is not evaluated again. Unforgeables and connectives are not looked at. @spec 21 §5.1 */
export function singleExpr(par: Par): Expr | undefined {
  const others = par.sends.length + par.receives.length + par.news.length + par.matches.length + par.bundles.length;
  return others === 0 && par.exprs.length === 1 ? par.exprs[0] : undefined;
}

/** The same for methods that require nothing more of their target. @spec 21 §6.3 */
export function requireSingular(target: Par): Expr {
  const base = singleExpr(target);
  if (base === undefined) throw reduceError("Error: Method can only be called on singular expressions.");
  return base;
}
