import {
  anyConnectiveUsed,
  EList,
  EPathMap,
  ETuple,
  type Expr,
  emptyBitSet,
  type F1r3nodeParBuilder,
  f1r3nodeTerms,
  type KeyValuePair,
  uniteIndices,
  uniteIndicesOf,
} from "@vedette/terms";
import type { FreeMap } from "../../normalize/FreeMap.js";
import type { F1r3nodeCollectionProcess, F1r3nodeMapProcess } from "../syntax/ast.js";
import type { F1r3nodeNormalizer } from "./F1r3nodeNormalizer.js";
import { normalizeRemainder } from "./namePatterns.js";

/** `[…]`, `(…,)`, `Set(…)`, `{|…|}`: the remainder is numbered before the elements. @spec 20 §7.18, 61 §5 */
export function normalizeCollection(
  process: F1r3nodeCollectionProcess,
  into: F1r3nodeParBuilder,
  free: FreeMap,
  normalizer: F1r3nodeNormalizer,
): void {
  into.addExpr(collection(process, free, normalizer), normalizer.scope.depth);
}

function collection(process: F1r3nodeCollectionProcess, free: FreeMap, normalizer: F1r3nodeNormalizer): Expr {
  const remainder = normalizeRemainder(process.remainder, free, normalizer);
  const ps = normalizer.each(process.elements, free);
  const locallyFree = uniteIndicesOf(ps);
  const connectiveUsed = remainder !== undefined || anyConnectiveUsed(ps);
  switch (process.kind) {
    case "List":
      return new EList(ps, locallyFree, connectiveUsed, remainder);
    case "Tuple":
      return new ETuple(ps, locallyFree, connectiveUsed);
    case "Set":
      return f1r3nodeTerms.makeSet(ps, locallyFree, connectiveUsed, remainder);
    case "PathMap":
      return new EPathMap(ps, locallyFree, connectiveUsed, remainder);
  }
}

/**
 * `{key : value, …}`.
 *
 * Quirk 61 §5: of entries with equal keys the first counts.
 */
export function normalizeMap(
  process: F1r3nodeMapProcess,
  into: F1r3nodeParBuilder,
  free: FreeMap,
  normalizer: F1r3nodeNormalizer,
): void {
  const remainder = normalizeRemainder(process.remainder, free, normalizer);
  const pairs: KeyValuePair[] = [];
  let locallyFree = emptyBitSet;
  let connectiveUsed = remainder !== undefined;
  for (const entry of process.entries) {
    const key = normalizer.alone(entry.key, free);
    const value = normalizer.alone(entry.value, free);
    locallyFree = uniteIndices(uniteIndices(locallyFree, key.locallyFree), value.locallyFree);
    connectiveUsed ||= key.connectiveUsed || value.connectiveUsed;
    pairs.push({ key, value });
  }
  const map = f1r3nodeTerms.makeMap(pairs.reverse(), locallyFree, connectiveUsed, remainder);
  into.addExpr(map, normalizer.scope.depth);
}
