import {
  checkTermSize,
  EBinary,
  EMatches,
  EUnary,
  type F1r3nodeParBuilder,
  f1r3nodeTerms,
  type Par,
} from "@vedette/terms";
import { FreeMap } from "../../normalize/FreeMap.js";
import type { F1r3nodeBinaryProcess, F1r3nodeProcess } from "../syntax/ast.js";
import type { F1r3nodeNormalizer } from "./F1r3nodeNormalizer.js";

/** `-x`, `not x`. @spec 20 §7.7, 61 §5 */
export function normalizeUnary(
  { operator, operand }: Extract<F1r3nodeProcess, { kind: "Unary" }>,
  into: F1r3nodeParBuilder,
  free: FreeMap,
  normalizer: F1r3nodeNormalizer,
): void {
  const builder = into.copy();
  normalizer.process(operand, builder, free);
  into.addExpr(new EUnary(operator, operandOf(builder, into)), normalizer.scope.depth);
}

/**
 * Normalizes `left + right` and similar operators; a chain of them is walked, not recursed into.
 *
 * Quirk 61 §5: the terms collected before become a part of the left operand, and also stay in place.
 *
 * @throws {TermLimitError} `tooLarge`: every such operator doubles the terms before it
 */
export function normalizeBinary(
  process: F1r3nodeBinaryProcess,
  into: F1r3nodeParBuilder,
  free: FreeMap,
  normalizer: F1r3nodeNormalizer,
): void {
  const chain: F1r3nodeBinaryProcess[] = [process];
  let first: F1r3nodeProcess = process.left;
  for (; first.kind === "Binary"; first = first.left) chain.push(first);
  const { depth } = normalizer.scope;
  let builder = into.copy();
  normalizer.process(first, builder, free);
  for (let i = chain.length - 1; i >= 0; i -= 1) {
    const { operator, right } = chain[i]!;
    const left = operandOf(builder, into);
    const expr = new EBinary(operator, left, normalizer.alone(right, free));
    if (i === 0) {
      into.addExpr(expr, depth);
      return;
    }
    builder = into.copy();
    builder.addExpr(expr, depth);
  }
}

/** @param around the builder that the operator is added to */
function operandOf(operand: F1r3nodeParBuilder, around: F1r3nodeParBuilder): Par {
  const par = operand.build();
  if (around.hasParts) checkTermSize(f1r3nodeTerms.sizeOfPar(par));
  return par;
}

/** `target matches pattern`: what the pattern leaves free is dropped. @spec 20 §7.7 */
export function normalizeMatches(
  { target, pattern }: Extract<F1r3nodeProcess, { kind: "Matches" }>,
  into: F1r3nodeParBuilder,
  free: FreeMap,
  normalizer: F1r3nodeNormalizer,
): void {
  const { scope } = normalizer;
  const targetPar = normalizer.alone(target, free);
  scope.enterPattern();
  const patternPar = normalizer.alone(pattern, new FreeMap());
  scope.leavePattern();
  into.addExpr(new EMatches(targetPar, patternPar), scope.depth);
}
