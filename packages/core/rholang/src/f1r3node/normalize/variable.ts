import {
  boundVar,
  EVar,
  emptyBitSet,
  type F1r3nodeParBuilder,
  freeVar,
  oneIndex,
  VarRef,
  wildcard,
} from "@vedette/terms";
import { type InterpreterError, spannedError } from "../../InterpreterError.js";
import type { FreeMap } from "../../normalize/FreeMap.js";
import type { BoundVariable } from "../../normalize/Scope.js";
import type { F1r3nodeProcess } from "../syntax/ast.js";
import { type PackedSpan, wildcardSpan } from "../syntax/PackedSpan.js";
import type { F1r3nodeNormalizer } from "./F1r3nodeNormalizer.js";

/** `_` as an expression. */
export const wildcardExpr = new EVar(wildcard);

/** A variable in process position. @spec 20 §7.4 */
export function normalizeVariable(
  { name, span }: Extract<F1r3nodeProcess, { kind: "Variable" }>,
  into: F1r3nodeParBuilder,
  free: FreeMap,
  normalizer: F1r3nodeNormalizer,
): void {
  const { scope } = normalizer;
  const bound = scope.find(name);
  if (bound?.isName === true) throw wrongSort("UnexpectedProcContext", name, bound, span, normalizer);
  const v = bound === undefined ? freeVar(putProcessVariable(name, span, free, normalizer)) : boundVar(bound.index);
  into.addExpr(new EVar(v), scope.depth);
}

/** `_` in process position. @spec 20 §7.4 */
export function normalizeWildcard(
  _process: F1r3nodeProcess,
  into: F1r3nodeParBuilder,
  free: FreeMap,
  { scope }: F1r3nodeNormalizer,
): void {
  free.wildcards.push(wildcardSpan);
  into.addExpr(wildcardExpr, scope.depth);
}

/** `=x`, `=*x`. @spec 20 §7.17 */
export function normalizeVariableReference(
  { name, isName, span }: Extract<F1r3nodeProcess, { kind: "VariableReference" }>,
  into: F1r3nodeParBuilder,
  _free: FreeMap,
  normalizer: F1r3nodeNormalizer,
): void {
  const found = normalizer.scope.findOutward(name);
  if (found === undefined) {
    const text = `Variable reference: =${name} at ${normalizer.spans.shown(span)} is unbound.`;
    throw spannedError("UnboundVariableRefSpan", text, normalizer.spans.startAt(span));
  }
  const { variable, depth } = found;
  if (variable.isName !== isName) {
    const failure = isName ? "UnexpectedProcContext" : "UnexpectedNameContext";
    throw wrongSort(failure, name, variable, span, normalizer);
  }
  const locallyFree = normalizer.scope.depth === depth ? oneIndex(variable.index) : emptyBitSet;
  into.addConnective(new VarRef(variable.index, depth), locallyFree, false);
}

/** Adds a free variable of sort Process, as process variables and all remainders are. @returns its level */
export function putProcessVariable(
  name: string,
  span: PackedSpan,
  free: FreeMap,
  normalizer: F1r3nodeNormalizer,
): number {
  const known = free.find(name);
  if (known === undefined) return free.put(name, false, span);
  throw usedTwice("UnexpectedReuseOfProcContextFree", name, { first: known.position, second: span }, normalizer);
}

/** A free variable is met again. */
export function usedTwice(
  failure: "UnexpectedReuseOfProcContextFree" | "UnexpectedReuseOfNameContextFree",
  name: string,
  { first, second }: { readonly first: PackedSpan; readonly second: PackedSpan },
  { spans }: F1r3nodeNormalizer,
): InterpreterError {
  const context = failure === "UnexpectedReuseOfNameContextFree" ? "name" : "process";
  const places = `at ${spans.shown(first)} and ${spans.shown(second)}`;
  const text = `Free variable ${name} is used twice as a binder (${places}) in ${context} context.`;
  return spannedError(failure, text, spans.startAt(second));
}

/** A name was used as a process, or the other way round. */
export function wrongSort(
  failure: "UnexpectedNameContext" | "UnexpectedProcContext",
  name: string,
  bound: BoundVariable,
  span: PackedSpan,
  { spans }: F1r3nodeNormalizer,
): InterpreterError {
  const [sort, context] =
    failure === "UnexpectedNameContext" ? ["Proc variable", "Name context"] : ["Name variable", "process context"];
  const text = `${sort}: ${name} at ${spans.shown(bound.position)} used in ${context} at ${spans.shown(span)}`;
  return spannedError(failure, text, spans.startAt(span));
}
