import {
  EList,
  type EMap,
  type ESet,
  ETuple,
  type KeyValuePair,
  makeMap,
  makeSet,
  type Par,
  rnodeAtoms,
  unionOfLocallyFree,
} from "@vedette/terms";
import { rememberKeys } from "../method/mapEntries.js";
import { rememberGiven } from "../method/setElements.js";
import type { Evaluator } from "./Evaluator.js";
import { withItemLocallyFree } from "./itemLocallyFree.js";

/** Quirk 21 §5.3: the remainder is dropped. @spec 21 §5.3 */
export function evalList(evaluator: Evaluator, list: EList): EList {
  const items = evalItems(evaluator, list.ps);
  return new EList(items, unionOfLocallyFree(items), list.connectiveUsed, undefined);
}

/** A tuple of the values. @spec 21 §5.3 */
export function evalTuple(evaluator: Evaluator, tuple: ETuple): ETuple {
  const items = evalItems(evaluator, tuple.ps);
  return new ETuple(items, unionOfLocallyFree(items), tuple.connectiveUsed);
}

/** A set of the values, sorted again. @spec 21 §5.3 */
export function evalSet(evaluator: Evaluator, set: ESet): ESet {
  const items = evalItems(evaluator, set.ps);
  return rememberGiven(makeSet(items, set.locallyFree, set.connectiveUsed, set.remainder, rnodeAtoms), items);
}

/** A map of the values, sorted again. @spec 21 §5.3 */
export function evalMap(evaluator: Evaluator, map: EMap): EMap {
  const pairs: KeyValuePair[] = [];
  for (const pair of map.kvs) {
    const key = withItemLocallyFree(evaluator.par(pair.key));
    pairs.push({ key, value: withItemLocallyFree(evaluator.par(pair.value)) });
  }
  return rememberKeys(makeMap(pairs, map.locallyFree, map.connectiveUsed, map.remainder, rnodeAtoms), pairs);
}

function evalItems(evaluator: Evaluator, items: readonly Par[]): Par[] {
  const values: Par[] = [];
  for (const item of items) values.push(withItemLocallyFree(evaluator.par(item)));
  return values;
}
