import { type EMethod, type Expr, GBool, GInt, none, Par, ParBuilder, parOfExpr, type Var } from "@vedette/terms";
import type { Charger } from "../../cost/Phlo.js";
import { InterpreterError, reduceError } from "../../InterpreterError.js";
import { hasOnlyExprs } from "../../match/hasOnlyExprs.js";
import type { Environment } from "../Environment.js";
import { methodTable } from "../method/methodTable.js";
import { binary } from "./binary.js";
import { evalList, evalMap, evalSet, evalTuple } from "./collection.js";
import { describeExpr } from "./describeExpr.js";
import { methodCallCost } from "./expressionCosts.js";
import { matches } from "./matches.js";
import { isSelfEvaluating, isValue } from "./selfEvaluating.js";
import { lookUp } from "./variable.js";

/**
 * Evaluates expressions in one environment, against one phlo balance. Operators and methods are functions of it.
 *
 * @spec 21 §5, §6
 */
export class Evaluator {
  constructor(
    readonly env: Environment,
    readonly phlo: Charger,
  ) {}

  /**
   * Replaces the top-level expressions of a Par by their values; what else it holds is left alone.
   *
   * Quirk 21 §5.1: the values come out in reverse order.
   *
   * @spec 21 §5.1 (evalExpr)
   */
  par(par: Par): Par {
    if (isSelfEvaluating(par)) return par;
    // That a variable was here alone is not kept in `locallyFree`. Every value is cut by a substitution before its
    // serialized form is read, and so a channel stays the object with the known hash.
    if (isOneExpr(par)) return this.exprToPar(par.exprs[0]!);
    const result = new ParBuilder();
    result.append(Par.of({ ...par, exprs: none }));
    for (const expr of par.exprs) result.append(this.exprToPar(expr));
    return result.build();
  }

  /** The only expression of a Par, evaluated. @spec 21 §5.1 (evalSingleExpr) */
  single(par: Par): Expr {
    requireOnlyExprs(par);
    if (par.exprs.length !== 1) throw reduceError("Error: Multiple expressions given.");
    const expr = par.exprs[0]!;
    return isSelfEvaluating(par) ? expr : this.expr(expr);
  }

  /** @spec 21 §5.1 (evalToLong) */
  long(par: Par): bigint {
    requireOnlyExprs(par);
    if (par.exprs.length !== 1) throw reduceError("Error: Integer expected, or unimplemented expression.");
    const expr = par.exprs[0]!;
    if (expr.kind === "GInt") return expr.value;
    if (expr.kind === "EVar") return this.long(this.variable(expr.v));
    const value = this.expr(expr);
    if (value.kind !== "GInt") throw reduceError("Error: expression didn't evaluate to integer.");
    return value.value;
  }

  /** @spec 21 §5.1 (evalToBool) */
  bool(par: Par): boolean {
    requireOnlyExprs(par);
    if (par.exprs.length !== 1) throw reduceError("Error: Multiple expressions given.");
    const expr = par.exprs[0]!;
    if (expr.kind === "GBool") return expr.value;
    if (expr.kind === "EVar") return this.bool(this.variable(expr.v));
    const value = this.expr(expr);
    if (value.kind !== "GBool") throw reduceError("Error: expression didn't evaluate to boolean.");
    return value.value;
  }

  /** A number that fits in 32 bits. @spec 21 §5.1 (restrictToInt) */
  int(par: Par): number {
    const value = this.long(par);
    if (BigInt.asIntN(32, value) !== value) throw reduceError(`Integer overflow for value ${value}`);
    return Number(value);
  }

  /** @spec 21 §5.1 (evalExprToPar) */
  exprToPar(expr: Expr): Par {
    if (expr.kind === "EVar") return this.par(this.variable(expr.v));
    if (expr.kind === "EMethod") return this.method(expr);
    return parOfExpr(this.expr(expr));
  }

  /** @spec 21 §5.3 */
  expr(expr: Expr): Expr {
    switch (expr.kind) {
      case "EVar":
        return this.single(this.variable(expr.v));
      case "EMethod":
        return this.single(this.method(expr));
      case "EUnary":
        return expr.operator === "ENot"
          ? new GBool(!this.bool(expr.p))
          : new GInt(BigInt.asIntN(64, -this.long(expr.p)));
      case "EBinary":
        return binary[expr.operator](this, expr.p1, expr.p2);
      case "EMatches":
        return matches(this, expr);
      case "EmptyExpr":
        throw reduceError(`Unimplemented expression: ${describeExpr(expr)}`);
      default:
        return isValue(expr) ? expr : this.collection(expr);
    }
  }

  /** @spec 21 §6.1 */
  method(call: EMethod): Par {
    this.phlo.charge(methodCallCost);
    const target = this.par(call.target);
    const args: Par[] = [];
    for (const arg of call.args) args.push(this.par(arg));
    return this.callMethod(call.methodName, target, args);
  }

  /** Calls a method on evaluated terms. @spec 21 §6.1 */
  callMethod(name: string, target: Par, args: readonly Par[]): Par {
    const method = methodTable.get(name);
    if (method === undefined) throw reduceError(`Unimplemented method: ${name}`);
    if (args.length !== method.arity) {
      const actual = args.length;
      throw new InterpreterError({
        class: "MethodArgumentNumberMismatch",
        method: name,
        expected: method.arity,
        actual,
      });
    }
    return method.run(this, target, args);
  }

  private variable(v: Var): Par {
    return lookUp(v, this.env, this.phlo);
  }

  private collection(expr: Expr): Expr {
    switch (expr.kind) {
      case "EList":
        return evalList(this, expr);
      case "ETuple":
        return evalTuple(this, expr);
      case "ESet":
        return evalSet(this, expr);
      case "EMap":
        return evalMap(this, expr);
      default:
        return expr;
    }
  }
}

/** Whether a Par is one expression and nothing else. */
export function isOneExpr(par: Par): boolean {
  return par.exprs.length === 1 && par.connectives.length === 0 && !par.connectiveUsed && hasOnlyExprs(par);
}

/** Quirk 21 §5.1: connectives are not looked at. */
function requireOnlyExprs(par: Par): void {
  if (!hasOnlyExprs(par)) throw reduceError("Error: parallel or non expression found where expression expected.");
}
