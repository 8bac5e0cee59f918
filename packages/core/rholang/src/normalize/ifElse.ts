import { GBool, Match, MatchCase, type ParBuilder, parOfExpr, unionBits } from "@vedette/terms";
import type { IfProcess } from "../syntax/ast.js";
import type { FreeMap } from "./FreeMap.js";
import type { Normalizer } from "./Normalizer.js";

const truePar = parOfExpr(new GBool(true));
const falsePar = parOfExpr(new GBool(false));

/** `if (condition) … else …`: a match on `true` and `false`. @spec 20 §7.13 */
export function normalizeIf(process: IfProcess, into: ParBuilder, free: FreeMap, normalizer: Normalizer): void {
  const condition = normalizer.alone(process.condition, free);
  const then = normalizer.alone(process.then, free);
  const otherwise = normalizer.alone(process.otherwise, free);
  const cases = [new MatchCase(truePar, then, 0), new MatchCase(falsePar, otherwise, 0)];
  const locallyFree = unionBits(unionBits(condition.locallyFree, then.locallyFree), otherwise.locallyFree);
  const connectiveUsed = condition.connectiveUsed || then.connectiveUsed || otherwise.connectiveUsed;
  into.addMatchLast(new Match(condition, cases, locallyFree, connectiveUsed));
}
