import { f1r3nodeTerms, type Par } from "@vedette/terms";
import type { Charger } from "../../cost/Phlo.js";
import type { Environment } from "../../evaluate/Environment.js";
import { InterpreterError } from "../../InterpreterError.js";
import { F1r3nodeSubstitution } from "./F1r3nodeSubstitution.js";
import { reachOf, unknownReach } from "./settled.js";

/**
 * Substitutes, sorts, and then charges the size of the result; where that fails, charges the size of the term as it was.
 *
 * @param depth pattern depth: 0 for a process, 1 for a pattern or the guard of a receive
 * @spec 21 §4, 22 §4.4, 61 §6.2
 */
export function substituteAndCharge(term: Par, depth: number, env: Environment, phlo: Charger): Par {
  const result = f1r3nodeTerms.sortPar(substituteOrCharge(term, depth, env, phlo));
  phlo.charge(f1r3nodeTerms.sizeOfPar(result));
  return result;
}

/** The same without sorting, as for the bodies of receives. @spec 21 §4, §4.3 */
export function substituteNoSortAndCharge(term: Par, depth: number, env: Environment, phlo: Charger): Par {
  const result = substituteOrCharge(term, depth, env, phlo);
  phlo.charge(f1r3nodeTerms.sizeOfPar(result));
  return result;
}

function substituteOrCharge(term: Par, depth: number, env: Environment, phlo: Charger): Par {
  const reach = reachOf(term, depth);
  if (reach !== unknownReach && reach <= env.shift) return term.cachedSubstituted!;
  try {
    return new F1r3nodeSubstitution(env).par(term, depth, env.shift);
  } catch (error) {
    if (error instanceof InterpreterError) phlo.charge(f1r3nodeTerms.sizeOfPar(term));
    throw error;
  }
}
