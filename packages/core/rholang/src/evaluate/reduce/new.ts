import type { SplittableRandom } from "@vedette/crypto";
import { isNil, type New, Par } from "@vedette/terms";
import { newBindingsCost } from "../../cost/costs.js";
import { bugFoundError } from "../../InterpreterError.js";
import { urnMap } from "../../system/channels.js";
import type { Environment } from "../Environment.js";
import type { Reducer } from "../Reducer.js";
import { putNames } from "./putNames.js";

/** `new x, y(urn) in { body }`. @spec 21 §3.3 */
export function reduceNew(reducer: Reducer, term: New, env: Environment, random: SplittableRandom): void {
  reducer.surroundings.phlo.charge(newBindingsCost(term.bindCount));
  const { uri } = term;
  const nameCount = Math.max(term.bindCount - uri.length, 0);
  const fixed = new Array<Par>(uri.length);
  for (let i = 0; i < uri.length; i += 1) fixed[i] = valueOfUrn(uri[i]!, term.injections);
  reducer.schedule(term.p, putNames(env, nameCount, random).putAll(fixed), random);
}

function valueOfUrn(urn: string, injections: ReadonlyMap<string, Par>): Par {
  const fixed = urnMap.get(urn);
  if (fixed !== undefined) return fixed;
  const injected = injections.get(urn);
  if (injected === undefined)
    throw bugFoundError(`No value set for \`${urn}\`. This is a bug in the normalizer or on the path from it.`);
  const name = only(injected.unforgeables);
  if (name !== undefined && isNil(without(injected, "unforgeables"))) return Par.of({ unforgeables: [name] });
  const expr = only(injected.exprs);
  if (expr !== undefined && isNil(without(injected, "exprs"))) return Par.of({ exprs: [expr] });
  throw bugFoundError("Invalid injection.");
}

function only<T>(list: readonly T[]): T | undefined {
  return list.length === 1 ? list[0] : undefined;
}

function without(par: Par, list: "unforgeables" | "exprs"): Par {
  return Par.of({ ...par, [list]: [] });
}
