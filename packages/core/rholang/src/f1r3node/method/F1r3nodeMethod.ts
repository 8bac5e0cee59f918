import type { Expr, Par } from "@vedette/terms";
import type { Charger } from "../../cost/Phlo.js";
import type { Environment } from "../../evaluate/Environment.js";
import { InterpreterError } from "../../InterpreterError.js";
import { f1r3nodeTypeName } from "../expression/typeName.js";

/** The parts of the evaluator that methods need. @spec 21 §5.1, §6.2 */
export interface F1r3nodeMethodEvaluator {
  readonly env: Environment;
  readonly phlo: Charger;
  /** Evaluates the expressions of a term. */
  par(par: Par): Par;
  /** Evaluates a term that must be one expression. */
  single(par: Par): Expr;
  /** Evaluates a term that must be an integer of 64 bits. */
  long(par: Par): bigint;
}

/** A method on evaluated terms. @throws {InterpreterError} @spec 61 §6.4 */
export interface F1r3nodeMethod {
  (evaluator: F1r3nodeMethodEvaluator, target: Par, args: readonly Par[]): Par;
  /** How many arguments it wants. */
  readonly arity: number;
}

/** The target is of a type that does not have the method. */
export function methodNotDefined(method: string, target: Expr): InterpreterError {
  return new InterpreterError({ class: "MethodNotDefined", method, otherType: f1r3nodeTypeName(target) });
}

/** A method that checks the number of its arguments first. @param name as the error shows it */
export function withArity(
  name: string,
  arity: number,
  run: (evaluator: F1r3nodeMethodEvaluator, target: Par, args: readonly Par[]) => Par,
): F1r3nodeMethod {
  const method = (evaluator: F1r3nodeMethodEvaluator, target: Par, args: readonly Par[]): Par => {
    if (args.length !== arity) {
      const actual = args.length;
      throw new InterpreterError({ class: "MethodArgumentNumberMismatch", method: name, expected: arity, actual });
    }
    return run(evaluator, target, args);
  };
  return Object.assign(method, { arity });
}
