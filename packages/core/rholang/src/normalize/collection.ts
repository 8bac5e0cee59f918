import {
  anyConnectiveUsed,
  type BitSet,
  EList,
  ETuple,
  emptyBitSet,
  type KeyValuePair,
  makeMap,
  makeSet,
  type Par,
  type ParBuilder,
  rnodeAtoms,
  unionBits,
  unionOfLocallyFree,
  type Var,
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
  const { ps, locallyFree, connectiveUsed, remainder } = partsOf(process, free, normalizer);
  into.addExpr(new EList(ps, locallyFree, connectiveUsed, remainder), locallyFree, connectiveUsed);
}

/** `(…,)`, which has no remainder. @spec 20 §7.18 */
export function normalizeTuple(
  process: CollectionProcess,
  into: ParBuilder,
  free: FreeMap,
  normalizer: Normalizer,
): void {
  const { ps, locallyFree, connectiveUsed } = partsOf(process, free, normalizer);
  into.addExpr(new ETuple(ps, locallyFree, connectiveUsed), locallyFree, connectiveUsed);
}

/** `Set(…)`. @spec 20 §7.18 */
export function normalizeSet(
  process: CollectionProcess,
  into: ParBuilder,
  free: FreeMap,
  normalizer: Normalizer,
): void {
  const { ps, locallyFree, connectiveUsed, remainder } = partsOf(process, free, normalizer);
  into.addExpr(makeSet(ps, locallyFree, connectiveUsed, remainder, rnodeAtoms), locallyFree, connectiveUsed);
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
  into.addExpr(makeMap(pairs, locallyFree, connectiveUsed, remainder, rnodeAtoms), locallyFree, connectiveUsed);
}

interface CollectionParts {
  readonly ps: readonly Par[];
  readonly locallyFree: BitSet;
  readonly connectiveUsed: boolean;
  readonly remainder: Var | undefined;
}

function partsOf(process: CollectionProcess, free: FreeMap, normalizer: Normalizer): CollectionParts {
  const remainder = normalizeRemainder(process.remainder, free, normalizer);
  const ps = normalizer.each(process.elements, free);
  const connectiveUsed = remainder !== undefined || anyConnectiveUsed(ps);
  return { ps, locallyFree: unionOfLocallyFree(ps), connectiveUsed, remainder };
}
