import { EList, EMap, ESet, emptyBitSet, type KeyValuePair, Par, type Var } from "@vedette/terms";
import { isClosed, isClosedBundle, isClosedExpr } from "./closed.js";
import type { MatchState } from "./MatchState.js";
import type { Leftover } from "./matchList.js";

const nothing: readonly never[] = [];

/**
 * Returns the capture of a variable that is alone in its pattern: the whole target.
 *
 * @spec 22 §1.4, §1.7
 * @returns `undefined` where a part of the target mentions a variable bound around it
 */
export function capturedWhole(target: Par): Par | undefined {
  const isClosedTarget =
    target.exprs.every(isClosedExpr) &&
    target.sends.every(isClosed) &&
    target.receives.every(isClosed) &&
    target.news.every(isClosed) &&
    target.matches.every(isClosed) &&
    target.bundles.every(isClosedBundle);
  return isClosedTarget ? capturedPar(target, target) : undefined;
}

/** The seven lists of a captured Par. */
export type CapturedLists = Pick<Par, "sends" | "receives" | "news" | "exprs" | "matches" | "bundles" | "unforgeables">;

/**
 * The Par that a variable gets: what each list left over. It is the target itself where that is the same, so that
 * what is known about the target (size, encoding, hash) stays known.
 *
 * @spec 22 §1.7
 */
export function capturedPar(target: Par, lists: CapturedLists): Par {
  const isTarget =
    lists.sends === target.sends &&
    lists.receives === target.receives &&
    lists.news === target.news &&
    lists.exprs === target.exprs &&
    lists.matches === target.matches &&
    lists.bundles === target.bundles &&
    lists.unforgeables === target.unforgeables &&
    target.connectives.length === 0 &&
    target.locallyFree.length === 0 &&
    !target.connectiveUsed;
  if (isTarget) return target;
  const { sends, receives, news, exprs, matches, unforgeables, bundles } = lists;
  return new Par(sends, receives, news, exprs, matches, unforgeables, bundles, nothing, emptyBitSet, false);
}

/**
 * Returns the part that the remainder of a list in order takes, if the lengths and the remainder allow a match.
 * Computing it before the elements are matched changes no outcome.
 *
 * @spec 22 §1.10
 */
export function foldRemainder(
  targets: readonly Par[],
  patterns: readonly Par[],
  remainder: Var | undefined,
): readonly Par[] | undefined {
  if (targets.length === patterns.length) return nothing;
  if (targets.length < patterns.length || remainder === undefined) return undefined;
  if (remainder.kind === "Wildcard") return nothing;
  if (remainder.kind !== "FreeVar") return undefined;
  for (let i = patterns.length; i < targets.length; i += 1) if (!isClosed(targets[i]!)) return undefined;
  return targets.slice(patterns.length);
}

/** Binds the remainder variable of a list in order, if it has one. @spec 22 §1.9, §2.1 */
export function setListRemainder(remainder: Var | undefined, left: readonly Par[], state: MatchState): void {
  if (remainder?.kind !== "FreeVar") return;
  state.set(remainder.index, Par.of({ exprs: [new EList(left, emptyBitSet, false, undefined)] }));
}

/** Returns how the leftover of a set or map is captured. @spec 22 §1.9 */
export function leftoverOf(remainder: Var | undefined): Leftover {
  return {
    level: remainder?.kind === "FreeVar" ? remainder.index : undefined,
    wildcard: remainder?.kind === "Wildcard",
  };
}

/** Binds the remainder variable of a set to the elements left over, which are closed. @spec 22 §1.7 */
export function setSetRemainder(leftover: Leftover, left: readonly Par[], state: MatchState): void {
  if (leftover.level === undefined) return;
  const used = left.some((element) => element.connectiveUsed);
  state.set(leftover.level, Par.of({ exprs: [new ESet(left, emptyBitSet, used, undefined)] }));
}

/** Binds the remainder variable of a map to the entries left over, which are closed. @spec 22 §1.7 */
export function setMapRemainder(leftover: Leftover, left: readonly KeyValuePair[], state: MatchState): void {
  if (leftover.level === undefined) return;
  const used = left.some((entry) => entry.key.connectiveUsed || entry.value.connectiveUsed);
  state.set(leftover.level, Par.of({ exprs: [new EMap(left, emptyBitSet, used, undefined)] }));
}
