import {
  anyConnectiveUsed,
  EList,
  EPathMap,
  ETuple,
  type Expr,
  emptyBitSet,
  type KeyValuePair,
  type RustParBuilder,
  rustTerms,
  uniteIndices,
  uniteIndicesOf,
} from "@vedette/terms";
import type { FreeMap } from "../../normalize/FreeMap.js";
import type { CollectionProcess, MapProcess } from "../syntax/ast.js";
import { normalizeRemainder } from "./namePatterns.js";
import type { RustNormalizer } from "./RustNormalizer.js";

/** `[…]`, `(…,)`, `Set(…)`, `{|…|}`: the remainder is numbered before the elements. @spec 20 §7.18, 61 §5 */
export function normalizeCollection(
  process: CollectionProcess,
  into: RustParBuilder,
  free: FreeMap,
  normalizer: RustNormalizer,
): void {
  into.addExpr(collection(process, free, normalizer), normalizer.scope.depth);
}

function collection(process: CollectionProcess, free: FreeMap, normalizer: RustNormalizer): Expr {
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
      return rustTerms.makeSet(ps, locallyFree, connectiveUsed, remainder);
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
  process: MapProcess,
  into: RustParBuilder,
  free: FreeMap,
  normalizer: RustNormalizer,
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
  const map = rustTerms.makeMap(pairs.reverse(), locallyFree, connectiveUsed, remainder);
  into.addExpr(map, normalizer.scope.depth);
}
