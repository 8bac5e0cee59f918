import {
  anyConnectiveUsed,
  EList,
  Match,
  MatchCase,
  type Par,
  type ParBuilder,
  parOfExpr,
  shiftBitsDown,
  unionBits,
  unionOfLocallyFree,
} from "@vedette/terms";
import type { LetDeclaration, LetProcess } from "../syntax/ast.js";
import { desugarConcurrentLet } from "./desugar.js";
import { FreeMap } from "./FreeMap.js";
import type { Normalizer } from "./Normalizer.js";
import { normalizeRemainder } from "./namePatterns.js";

/** `let … in { body }`: a match of lists inside a match of lists, or channels of its own. @spec 20 §4 (5, 6), §7.15 */
export function normalizeLet(process: LetProcess, into: ParBuilder, free: FreeMap, normalizer: Normalizer): void {
  if (process.concurrent) normalizer.process(desugarConcurrentLet(process, normalizer), into, free);
  else normalizeRest({ process, index: 0 }, into, free, normalizer);
}

/** A `let` from one of its declarations on. */
interface RestOfLet {
  readonly process: LetProcess;
  readonly index: number;
}

function normalizeRest({ process, index }: RestOfLet, into: ParBuilder, free: FreeMap, normalizer: Normalizer): void {
  const declaration = process.declarations[index];
  if (declaration === undefined) {
    normalizer.process(process.body, into, free);
    return;
  }
  const target = valueList(declaration, free, normalizer);
  const bound = new FreeMap();
  const pattern = patternList(declaration, bound, normalizer);
  const mark = normalizer.scope.open();
  normalizer.scope.absorb(bound);
  const builder = normalizer.builder();
  normalizeRest({ process, index: index + 1 }, builder, free, normalizer);
  const body = builder.build();
  normalizer.scope.close(mark);
  const locallyFree = unionBits(
    unionBits(target.locallyFree, pattern.locallyFree),
    shiftBitsDown(body.locallyFree, bound.nextLevel),
  );
  const cases = [new MatchCase(pattern, body, bound.nextLevel)];
  into.addMatch(new Match(target, cases, locallyFree, target.connectiveUsed || body.connectiveUsed));
}

function valueList({ values }: LetDeclaration, free: FreeMap, normalizer: Normalizer): Par {
  const ps = normalizer.each(values, free);
  const locallyFree = unionOfLocallyFree(ps);
  const connectiveUsed = anyConnectiveUsed(ps);
  return parOfExpr(new EList(ps, locallyFree, connectiveUsed, undefined));
}

/** Quirk 20 §7.15: the remainder is numbered before the names, and the list always counts as using connectives. */
function patternList({ patterns }: LetDeclaration, bound: FreeMap, normalizer: Normalizer): Par {
  const remainder = normalizeRemainder(patterns.remainder, bound, normalizer);
  normalizer.scope.enterPattern();
  const ps: Par[] = [];
  for (const name of patterns.names) ps.push(normalizer.name(name, bound));
  normalizer.scope.leavePattern();
  const locallyFree = unionOfLocallyFree(ps);
  return parOfExpr(new EList(ps, locallyFree, true, remainder));
}
