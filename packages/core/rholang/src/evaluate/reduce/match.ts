import type { SplittableRandom } from "@vedette/crypto";
import { type Match, nil, type Par } from "@vedette/terms";
import { matchEvalCost } from "../../cost/costs.js";
import { matchPar } from "../../match/matchPar.js";
import type { Environment } from "../Environment.js";
import { evalExpr } from "../expression/evalExpr.js";
import type { Reducer } from "../Reducer.js";
import { substituteAndCharge } from "../substitute/substitute.js";

/**
 * `match target { pattern => body … }`: the first case that fits runs.
 *
 * The pattern of each case that is tried is charged, also of those that do not fit; matching is free.
 *
 * @spec 21 §3.7, 22 §3
 */
export function reduceMatch(reducer: Reducer, term: Match, env: Environment, random: SplittableRandom): void {
  const { phlo, meter } = reducer.surroundings;
  phlo.charge(matchEvalCost);
  const target = substituteAndCharge(evalExpr(term.target, env, phlo), 0, env, phlo);
  const { cases } = term;
  for (let i = 0; i < cases.length; i += 1) {
    const one = cases[i]!;
    const pattern = substituteAndCharge(one.pattern, 1, env, phlo);
    const bindings = matchPar(target, pattern, meter);
    if (bindings === undefined) continue;
    const bound: Par[] = [];
    for (let level = 0; level < one.freeCount; level += 1) bound.push(bindings.get(level) ?? nil);
    reducer.schedule(one.source, env.putAll(bound), random);
    return;
  }
}
