import { emptyBitSet, type ParBuilder, VarRef } from "@vedette/terms";
import { InterpreterError } from "../InterpreterError.js";
import type { Process, VariableProcess, VariableReference } from "../syntax/ast.js";
import type { FreeMap } from "./FreeMap.js";
import type { Normalizer } from "./Normalizer.js";
import type { BoundVariable } from "./Scope.js";
import { boundExpr, freeExpr, indexBit, wildcardExpr } from "./variableTerm.js";

/** A variable in process position. @spec 20 §7.4 */
export function normalizeVariable(
  { name, position }: VariableProcess,
  into: ParBuilder,
  free: FreeMap,
  normalizer: Normalizer,
): void {
  const bound = normalizer.scope.find(name);
  if (bound === undefined) {
    const level = putProcessVariable(name, position, free, normalizer);
    into.addExpr(freeExpr(level), emptyBitSet, true);
    return;
  }
  if (bound.isName) throw wrongSort("UnexpectedProcContext", name, bound, position, normalizer);
  // Quirk 20 §6.2: inside a pattern a process variable does not count as free.
  const locallyFree = normalizer.scope.depth === 0 ? indexBit(bound.index) : emptyBitSet;
  into.addExpr(boundExpr(bound.index), locallyFree, false);
}

/** `_` in process position. @spec 20 §7.4 */
export function normalizeWildcard(
  { position }: Extract<Process, { kind: "Wildcard" }>,
  into: ParBuilder,
  free: FreeMap,
): void {
  free.wildcards.push(position);
  into.addExpr(wildcardExpr, emptyBitSet, true);
}

/** `=x`, `=*x`. @spec 20 §7.17 */
export function normalizeVariableReference(
  { name, isName, position }: VariableReference,
  into: ParBuilder,
  _free: FreeMap,
  normalizer: Normalizer,
): void {
  const found = normalizer.scope.findOutward(name);
  if (found === undefined)
    throw new InterpreterError({ class: "UnboundVariableRef", name, at: normalizer.positionAt(position) });
  const { variable, depth } = found;
  if (variable.isName !== isName) {
    const failure = isName ? "UnexpectedProcContext" : "UnexpectedNameContext";
    throw wrongSort(failure, name, variable, position, normalizer);
  }
  const locallyFree = normalizer.scope.depth === depth ? indexBit(variable.index) : emptyBitSet;
  into.addConnective(new VarRef(variable.index, depth), locallyFree, false);
}

/** Adds a free variable of sort Process, as process variables and all remainders are. @returns its level */
export function putProcessVariable(name: string, position: number, free: FreeMap, normalizer: Normalizer): number {
  const known = free.find(name);
  if (known === undefined) return free.put(name, false, position);
  throw new InterpreterError({
    class: "UnexpectedReuseOfProcContextFree",
    name,
    firstAt: normalizer.positionAt(known.position),
    at: normalizer.positionAt(position),
  });
}

/** A name was used as a process, or the other way round. */
export function wrongSort(
  failure: "UnexpectedProcContext" | "UnexpectedNameContext",
  name: string,
  bound: BoundVariable,
  position: number,
  normalizer: Normalizer,
): InterpreterError {
  return new InterpreterError({
    class: failure,
    name,
    boundAt: normalizer.positionAt(bound.position),
    at: normalizer.positionAt(position),
  });
}
