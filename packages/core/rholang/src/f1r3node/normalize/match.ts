import { type F1r3nodeParBuilder, If, indicesOutside, Match, MatchCase, nil, uniteIndices } from "@vedette/terms";
import { FreeMap } from "../../normalize/FreeMap.js";
import type { F1r3nodeIfProcess, F1r3nodeMatchProcess } from "../syntax/ast.js";
import type { F1r3nodeNormalizer } from "./F1r3nodeNormalizer.js";

/** `match target { pattern where guard => body … }`; the order of cases is kept. @spec 20 §7.14, 61 §5 */
export function normalizeMatch(
  process: F1r3nodeMatchProcess,
  into: F1r3nodeParBuilder,
  free: FreeMap,
  normalizer: F1r3nodeNormalizer,
): void {
  const { scope } = normalizer;
  const target = normalizer.alone(process.target, free);
  let { locallyFree, connectiveUsed } = target;
  const cases: MatchCase[] = [];
  for (const each of process.cases) {
    const bound = new FreeMap();
    scope.enterPattern();
    const pattern = normalizer.alone(each.pattern, bound);
    scope.leavePattern();
    const guard = each.guard === undefined ? undefined : normalizer.under(bound, each.guard, free);
    const body = normalizer.under(bound, each.body, free);
    const inside = guard === undefined ? body.locallyFree : uniteIndices(body.locallyFree, guard.locallyFree);
    const count = bound.nextLevel;
    locallyFree = uniteIndices(uniteIndices(locallyFree, pattern.locallyFree), indicesOutside(inside, count));
    connectiveUsed ||= body.connectiveUsed || guard?.connectiveUsed === true;
    cases.push(new MatchCase(pattern, body, count, guard));
  }
  into.addMatch(new Match(target, cases, locallyFree, connectiveUsed));
}

/** `if (condition) … else …`. @spec 20 §14.3, 61 §5 */
export function normalizeIf(
  { condition, then, otherwise }: F1r3nodeIfProcess,
  into: F1r3nodeParBuilder,
  free: FreeMap,
  normalizer: F1r3nodeNormalizer,
): void {
  const test = normalizer.alone(condition, free);
  const ifTrue = normalizer.alone(then, free);
  const ifFalse = otherwise === undefined ? nil : normalizer.alone(otherwise, free);
  const locallyFree = uniteIndices(uniteIndices(test.locallyFree, ifTrue.locallyFree), ifFalse.locallyFree);
  const connectiveUsed = test.connectiveUsed || ifTrue.connectiveUsed || ifFalse.connectiveUsed;
  into.addConditional(new If(test, ifTrue, ifFalse, locallyFree, connectiveUsed));
}
