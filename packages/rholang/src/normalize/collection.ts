import {
  anyConnectiveUsed,
  EList,
  ETuple,
  emptyBitSet,
  type KeyValuePair,
  makeMap,
  makeSet,
  type ParBuilder,
  unionBits,
  unionOfLocallyFree,
} from "@vedette/terms";
import type { CollectionProcess, MapProcess } from "../syntax/ast.js";
import type { FreeMap } from "./FreeMap.js";
import type { Normalizer } from "./Normalizer.js";
import { normalizeRemainder } from "./namePatterns.js";

/** `[…]`: the remainder is numbered before the elements. @spec 20 §7.18 */
export function normalizeList(
  process: CollectionProcess,
  into: ParBuilder,
  free: FreeMap,
  normalizer: Normalizer,
): void {
  const remainder = normalizeRemainder(process.remainder, free, normalizer);
  const ps = normalizer.each(process.elements, free);
  const locallyFree = unionOfLocallyFree(ps);
  const connectiveUsed = remainder !== undefined || anyConnectiveUsed(ps);
  into.addExpr(new EList(ps, locallyFree, connectiveUsed, remainder), locallyFree, connectiveUsed);
}

/** `(…,)`. @spec 20 §7.18 */
export function normalizeTuple(
  process: CollectionProcess,
  into: ParBuilder,
  free: FreeMap,
  normalizer: Normalizer,
): void {
  const ps = normalizer.each(process.elements, free);
  const locallyFree = unionOfLocallyFree(ps);
  const connectiveUsed = anyConnectiveUsed(ps);
  into.addExpr(new ETuple(ps, locallyFree, connectiveUsed), locallyFree, connectiveUsed);
}

/** `Set(…)`. @spec 20 §7.18 */
export function normalizeSet(
  process: CollectionProcess,
  into: ParBuilder,
  free: FreeMap,
  normalizer: Normalizer,
): void {
  const remainder = normalizeRemainder(process.remainder, free, normalizer);
  const ps = normalizer.each(process.elements, free);
  const locallyFree = unionOfLocallyFree(ps);
  const connectiveUsed = remainder !== undefined || anyConnectiveUsed(ps);
  into.addExpr(makeSet(ps, locallyFree, connectiveUsed, remainder), locallyFree, connectiveUsed);
}

/** `{key : value, …}`. @spec 20 §7.18 */
export function normalizeMap(process: MapProcess, into: ParBuilder, free: FreeMap, normalizer: Normalizer): void {
  const remainder = normalizeRemainder(process.remainder, free, normalizer);
  const pairs: KeyValuePair[] = [];
  let locallyFree = emptyBitSet;
  let connectiveUsed = remainder !== undefined;
  for (const entry of process.entries) {
    const key = normalizer.alone(entry.key, free);
    const value = normalizer.alone(entry.value, free);
    locallyFree = unionBits(unionBits(locallyFree, key.locallyFree), value.locallyFree);
    connectiveUsed ||= key.connectiveUsed || value.connectiveUsed;
    pairs.push({ key, value });
  }
  into.addExpr(makeMap(pairs, locallyFree, connectiveUsed, remainder), locallyFree, connectiveUsed);
}
