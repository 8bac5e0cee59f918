import type { Par, ParBuilder } from "@vedette/terms";
import { InterpreterError } from "../InterpreterError.js";
import type { Name, Process } from "../syntax/ast.js";
import { noPosition } from "../syntax/LineTable.js";
import type { FreeMap } from "./FreeMap.js";
import type { Normalizer } from "./Normalizer.js";
import { wrongSort } from "./variable.js";
import { boundPar, freePar, wildcardPar } from "./variableTerm.js";

/** A name: as a term it is the process that it quotes. @spec 20 §7.5 */
export function normalizeName(name: Name, free: FreeMap, normalizer: Normalizer): Par {
  switch (name.kind) {
    case "NameWildcard":
      free.wildcards.push(noPosition);
      return wildcardPar;
    case "NameVariable":
      return nameVariable(name.name, name.position, free, normalizer);
    case "Quote":
      return normalizer.alone(name.process, free);
  }
}

function nameVariable(name: string, position: number, free: FreeMap, normalizer: Normalizer): Par {
  const bound = normalizer.scope.find(name);
  if (bound !== undefined) {
    if (!bound.isName) throw wrongSort("UnexpectedNameContext", name, bound, position, normalizer);
    // Quirk 20 §6.2: a name variable counts as free at any depth.
    return boundPar(bound.index);
  }
  const known = free.find(name);
  if (known === undefined) return freePar(free.put(name, true, position));
  throw new InterpreterError({
    class: "UnexpectedReuseOfNameContextFree",
    name,
    firstAt: normalizer.positionAt(known.position),
    at: normalizer.positionAt(position),
  });
}

/** `*name`: quoting and evaluating are each other's inverse on terms, so that nothing is left of both. @spec 20 §7.6 */
export function normalizeEval(
  { name }: Extract<Process, { kind: "Eval" }>,
  into: ParBuilder,
  free: FreeMap,
  normalizer: Normalizer,
): void {
  into.append(normalizeName(name, free, normalizer));
}
