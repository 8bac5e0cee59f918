import { type EMethod, type Expr, GBool, none, Par, type Var } from "@vedette/terms";
import type { Charger } from "../../cost/Phlo.js";
import type { Environment } from "../../evaluate/Environment.js";
import { methodCallCost, varEvalCost } from "../../evaluate/expression/expressionCosts.js";
import { hasOnlyExprs } from "../../match/hasOnlyExprs.js";
import { debugText } from "../debugText.js";
import { f1r3nodeReduceError } from "../f1r3nodeError.js";
import type { F1r3nodeMethodEvaluator } from "../method/F1r3nodeMethod.js";
import { f1r3nodeMethods } from "../method/f1r3nodeMethods.js";
import { parOf } from "../parOf.js";
import { negate } from "./arithmetic.js";
import { binary } from "./binary.js";
import { evalList, evalMap, evalPathMap, evalSet, evalTuple } from "./collection.js";
import { isLargeValue, isSelfEvaluating } from "./isSelfEvaluating.js";
import { f1r3nodeMatches } from "./matches.js";

/**
 * Evaluates expressions in one environment, against one phlo balance, as f1r3node does.
 *
 * @spec 21 §5, §6, 61 §6.4
 */
export class F1r3nodeEvaluator implements F1r3nodeMethodEvaluator {
  constructor(
    readonly env: Environment,
    readonly phlo: Charger,
  ) {}

  /** Replaces the top-level expressions of a Par by their values, the last one in front. @spec 21 §5.1 */
  par(par: Par): Par {
    if (isSelfEvaluating(par)) return par;
    const { exprs } = par;
    // That a variable was here is not kept in the set of free ones: substitution empties it before it is read.
    if (exprs.length === 1 && isOnlyExprs(par)) return this.exprToPar(exprs[0]!);
    let result = withoutExprs(par);
    for (const expr of exprs) result = behind(this.exprToPar(expr), result);
    return result;
  }

  /** The only expression of a Par, evaluated. Quirk 61 §6.4: connectives and conditionals are not looked at. */
  single(par: Par): Expr {
    // Quirk 61 §6.4: connectives and conditionals are not looked at.
    if (!hasOnlyExprs(par))
      throw f1r3nodeReduceError("Error: parallel or non expression found where expression expected.");
    if (par.exprs.length !== 1) throw f1r3nodeReduceError("Error: Multiple expressions given.");
    const expr = par.exprs[0]!;
    return isSelfEvaluating(par) ? expr : this.expr(expr);
  }

  /** Quirk 61 §6.4: processes beside the expression are passed over. */
  long(par: Par): bigint {
    if (par.exprs.length !== 1) throw f1r3nodeReduceError("Error: Integer expected, or unimplemented expression.");
    const expr = par.exprs[0]!;
    if (expr.kind === "GInt") return expr.value;
    if (expr.kind === "EVar") return this.long(this.variable(expr.v));
    const value = this.expr(expr);
    if (value.kind !== "GInt") throw f1r3nodeReduceError("Error: expression didn't evaluate to integer.");
    return value.value;
  }

  /** As of {@link long}. */
  bool(par: Par): boolean {
    if (par.exprs.length !== 1) throw f1r3nodeReduceError("Error: Multiple expressions given.");
    const expr = par.exprs[0]!;
    if (expr.kind === "GBool") return expr.value;
    if (expr.kind === "EVar") return this.bool(this.variable(expr.v));
    const value = this.expr(expr);
    if (value.kind !== "GBool") throw f1r3nodeReduceError("Error: expression didn't evaluate to boolean.");
    return value.value;
  }

  exprToPar(expr: Expr): Par {
    if (expr.kind === "EVar") return this.par(this.variable(expr.v));
    if (expr.kind === "EMethod") return this.method(expr);
    return parOf(this.expr(expr));
  }

  /** @spec 61 §6.4 */
  expr(expr: Expr): Expr {
    switch (expr.kind) {
      case "EVar":
        return this.single(this.variable(expr.v));
      case "EMethod":
        return this.single(this.method(expr, debugText));
      case "EUnary":
        return expr.operator === "ENot" ? new GBool(!this.bool(expr.p)) : negate(this, expr.p);
      case "EBinary":
        return binary[expr.operator](this, expr.p1, expr.p2);
      case "EMatches":
        return f1r3nodeMatches(this, expr);
      case "EmptyExpr":
        throw f1r3nodeReduceError("Unimplemented expression: Expr { expr_instance: None }");
      default:
        return isLargeValue(expr) ? expr : this.collection(expr);
    }
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
      case "EPathMap":
        return evalPathMap(this, expr);
      default:
        return expr;
    }
  }

  /** @param nameIn how an error shows the name: within an expression it is quoted @spec 21 §6.1 */
  method(call: EMethod, nameIn: (name: string) => string = String): Par {
    this.phlo.charge(methodCallCost);
    const target = this.par(call.target);
    const args = call.args.map((arg) => this.par(arg));
    const method = f1r3nodeMethods.get(call.methodName);
    if (method === undefined) throw f1r3nodeReduceError(`Unimplemented method: ${nameIn(call.methodName)}`);
    return method(this, target, args);
  }

  /** A method in the place of an operator. */
  callMethod(name: string, target: Expr, arg: Expr): Expr {
    return this.single(f1r3nodeMethods.get(name)!(this, parOf(target), [parOf(arg)]));
  }

  variable(v: Var): Par {
    this.phlo.charge(varEvalCost);
    if (v.kind === "BoundVar") {
      const value = this.env.get(v.index);
      if (value === undefined) throw f1r3nodeReduceError(`Unbound variable: ${v.index} in {}`);
      return value;
    }
    if (v.kind === "EmptyVar") throw f1r3nodeReduceError("Impossible var instance EMPTY");
    throw f1r3nodeReduceError("Unbound variable: attempting to evaluate a pattern");
  }
}

/** Evaluates the top-level expressions of a Par. @returns the same object where there is nothing to evaluate */
export function evalF1r3nodeExpr(par: Par, env: Environment, phlo: Charger): Par {
  return isSelfEvaluating(par) ? par : new F1r3nodeEvaluator(env, phlo).par(par);
}

function isOnlyExprs(par: Par): boolean {
  return hasOnlyExprs(par) && par.connectives.length === 0 && par.conditionals.length === 0 && !par.connectiveUsed;
}

function withoutExprs(par: Par): Par {
  return Par.of({ ...par, exprs: none });
}

/** Both together: in every list the terms of `first` come before the present ones. @spec 21 §3.2 */
function behind(first: Par, par: Par): Par {
  return Par.of({
    sends: first.sends.concat(par.sends),
    receives: first.receives.concat(par.receives),
    news: first.news.concat(par.news),
    exprs: first.exprs.concat(par.exprs),
    matches: first.matches.concat(par.matches),
    unforgeables: first.unforgeables.concat(par.unforgeables),
    bundles: first.bundles.concat(par.bundles),
    connectives: first.connectives.concat(par.connectives),
    conditionals: first.conditionals.concat(par.conditionals),
    locallyFree: par.locallyFree,
    connectiveUsed: first.connectiveUsed || par.connectiveUsed,
  });
}
