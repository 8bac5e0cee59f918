import type { Par, Var } from "@vedette/terms";
import type { Charger } from "../../cost/Phlo.js";
import { reduceError } from "../../InterpreterError.js";
import type { Environment } from "../Environment.js";
import { varEvalCost } from "./expressionCosts.js";

/**
 * The value of a variable. The charge comes before the look-up, each time.
 *
 * @spec 21 §3.9, §5.1
 * @throws {InterpreterError} `ReduceError` where the variable has no value
 */
export function lookUp(v: Var, env: Environment, phlo: Charger): Par {
  phlo.charge(varEvalCost);
  switch (v.kind) {
    case "BoundVar": {
      const value = env.get(v.index);
      // rnode goes on with its whole environment here; no compiled program gets so far.
      if (value === undefined) throw reduceError(`Unbound variable: ${v.index} in Map()`);
      return value;
    }
    case "FreeVar":
    case "Wildcard":
      throw reduceError("Unbound variable: attempting to evaluate a pattern");
    case "EmptyVar":
      throw reduceError("Impossible var instance EMPTY");
  }
}
