import { EBinary, EMatches, EUnary, type Par, type ParBuilder, parOfExpr, unionBits } from "@vedette/terms";
import type { BinaryProcess, MatchesProcess, Process } from "../syntax/ast.js";
import { FreeMap } from "./FreeMap.js";
import type { Normalizer } from "./Normalizer.js";

/** `-x`, `not x`. @spec 20 §7.7 */
export function normalizeUnary(
  { operator, operand }: Extract<Process, { kind: "Unary" }>,
  into: ParBuilder,
  free: FreeMap,
  normalizer: Normalizer,
): void {
  const p = normalizer.alone(operand, free);
  into.addExpr(new EUnary(operator, p), p.locallyFree, p.connectiveUsed);
}

/** `x + y` and its kin. A chain that leans to the left is walked, not recursed into. @spec 20 §7.7 */
export function normalizeBinary(process: BinaryProcess, into: ParBuilder, free: FreeMap, normalizer: Normalizer): void {
  const chain: BinaryProcess[] = [process];
  let first = process.left;
  for (; first.kind === "Binary"; first = first.left) chain.push(first);
  let left: Par = normalizer.alone(first, free);
  for (let i = chain.length - 1; i >= 0; i -= 1) {
    const { operator, right } = chain[i]!;
    const p2 = normalizer.alone(right, free);
    const expr = new EBinary(operator, left, p2);
    const locallyFree = unionBits(left.locallyFree, p2.locallyFree);
    const connectiveUsed = left.connectiveUsed || p2.connectiveUsed;
    if (i === 0) into.addExpr(expr, locallyFree, connectiveUsed);
    else left = parOfExpr(expr);
  }
}

/** `target matches pattern`: nothing that the pattern leaves free is seen outside. @spec 20 §7.7 */
export function normalizeMatches(
  process: MatchesProcess,
  into: ParBuilder,
  free: FreeMap,
  normalizer: Normalizer,
): void {
  const target = normalizer.alone(process.target, free);
  normalizer.scope.enterPattern();
  const pattern = normalizer.alone(process.pattern, new FreeMap());
  normalizer.scope.leavePattern();
  const locallyFree = unionBits(target.locallyFree, pattern.locallyFree);
  // Quirk 20 §6.2: the pattern's connectives do not count.
  into.addExpr(new EMatches(target, pattern), locallyFree, target.connectiveUsed);
}
