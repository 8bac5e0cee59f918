import type { SplittableRandom } from "@vedette/crypto";
import type { EMethod, EVar } from "@vedette/terms";
import type { Environment } from "../Environment.js";
import { evalMethod } from "../expression/evalExpr.js";
import { lookUp } from "../expression/variable.js";
import type { Reducer } from "../Reducer.js";

/** `*x` as a process: the variable's value runs. @spec 21 §3.9 */
export function reduceEval(reducer: Reducer, expr: EVar, env: Environment, random: SplittableRandom): void {
  reducer.schedule(lookUp(expr.v, env, reducer.surroundings.phlo), env, random);
}

/** A method call as a process: its result runs. @spec 21 §3.9 */
export function reduceMethod(reducer: Reducer, expr: EMethod, env: Environment, random: SplittableRandom): void {
  reducer.schedule(evalMethod(expr, env, reducer.surroundings.phlo), env, random);
}
