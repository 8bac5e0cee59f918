import { type Par, sizeOfPar, sortPar } from "@vedette/terms";
import type { Charger } from "../../cost/Phlo.js";
import { InterpreterError } from "../../InterpreterError.js";
import type { Environment } from "../Environment.js";
import { isInert } from "./inert.js";
import { Substitution } from "./Substitution.js";

/**
 * Puts values in the place of variables, and sorts the result.
 *
 * @spec 21 §4
 * @param depth pattern depth: 0 for a process, 1 for a pattern
 * @returns the same object where nothing changes
 * @throws {InterpreterError} `SubstituteError` for a free variable or wildcard at depth 0
 */
export function substitute(term: Par, depth: number, env: Environment): Par {
  return sortPar(substituteNoSort(term, depth, env));
}

/** The same without sorting, as for the bodies of receives. @spec 21 §4, §4.3 */
export function substituteNoSort(term: Par, depth: number, env: Environment): Par {
  return isInert(term, depth, env.shift) ? term : new Substitution(env).reactive(term, depth, env.shift);
}

/**
 * Substitutes and then charges the size of the result; where that fails, charges the size of the term as it was.
 *
 * @spec 21 §4, 22 §4.4
 */
export function substituteAndCharge(term: Par, depth: number, env: Environment, phlo: Charger): Par {
  const result = sortPar(substituteOrCharge(term, depth, env, phlo));
  phlo.charge(sizeOfPar(result));
  return result;
}

/** The same without sorting. @spec 21 §4, 22 §4.4 */
export function substituteNoSortAndCharge(term: Par, depth: number, env: Environment, phlo: Charger): Par {
  const result = substituteOrCharge(term, depth, env, phlo);
  phlo.charge(sizeOfPar(result));
  return result;
}

function substituteOrCharge(term: Par, depth: number, env: Environment, phlo: Charger): Par {
  try {
    return substituteNoSort(term, depth, env);
  } catch (error) {
    // Any other exception has no meaning for the program, and rnode would not charge for it.
    if (error instanceof InterpreterError) phlo.charge(sizeOfPar(term));
    throw error;
  }
}
