import { type BitSet, Match, MatchCase, type Par, type ParBuilder, shiftBitsDown, unionBits } from "@vedette/terms";
import type { MatchProcess, Process } from "../syntax/ast.js";
import { FreeMap } from "./FreeMap.js";
import type { Normalizer } from "./Normalizer.js";

/** `match target { pattern => body … }`; the order of cases is kept. @spec 20 §7.14 */
export function normalizeMatch(process: MatchProcess, into: ParBuilder, free: FreeMap, normalizer: Normalizer): void {
  const target = normalizer.alone(process.target, free);
  let locallyFree: BitSet = target.locallyFree;
  let connectiveUsed = target.connectiveUsed;
  const cases: MatchCase[] = [];
  for (const each of process.cases) {
    const patternFree = new FreeMap();
    normalizer.scope.enterPattern();
    const pattern = normalizer.alone(each.pattern, patternFree);
    normalizer.scope.leavePattern();
    const body = normalizeUnder(patternFree, each.body, free, normalizer);
    locallyFree = unionBits(locallyFree, pattern.locallyFree);
    locallyFree = unionBits(locallyFree, shiftBitsDown(body.locallyFree, patternFree.nextLevel));
    connectiveUsed ||= body.connectiveUsed;
    cases.push(new MatchCase(pattern, body, patternFree.nextLevel));
  }
  into.addMatch(new Match(target, cases, locallyFree, connectiveUsed));
}

/** Normalizes a body in which the variables of a pattern are bound. @spec 20 §6.1 (absorbFree) */
export function normalizeUnder(bound: FreeMap, body: Process, free: FreeMap, normalizer: Normalizer): Par {
  const mark = normalizer.scope.open();
  normalizer.scope.absorb(bound);
  const par = normalizer.alone(body, free);
  normalizer.scope.close(mark);
  return par;
}
