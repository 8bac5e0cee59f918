import { EList, type EMap, EPathMap, type ESet, ETuple, f1r3nodeTerms, type Par, uniteIndicesOf } from "@vedette/terms";
import type { F1r3nodeMethodEvaluator } from "../method/F1r3nodeMethod.js";

type Evaluating = Pick<F1r3nodeMethodEvaluator, "par">;

/** Quirk 61 §6.4: the remainder is dropped. */
export function evalList(evaluator: Evaluating, list: EList): EList {
  const items = evalItems(evaluator, list.ps);
  if (items === list.ps && list.remainder === undefined) return list;
  return new EList(items, uniteIndicesOf(items), list.connectiveUsed, undefined);
}

/** A tuple of the values. */
export function evalTuple(evaluator: Evaluating, tuple: ETuple): ETuple {
  const items = evalItems(evaluator, tuple.ps);
  return items === tuple.ps ? tuple : new ETuple(items, uniteIndicesOf(items), tuple.connectiveUsed);
}

/** A set of the values, sorted again. */
export function evalSet(evaluator: Evaluating, set: ESet): ESet {
  const items = evalItems(evaluator, set.ps);
  return items === set.ps ? set : f1r3nodeTerms.makeSet(items, set.locallyFree, set.connectiveUsed, set.remainder);
}

/** A map of the values, sorted again. */
export function evalMap(evaluator: Evaluating, map: EMap): EMap {
  let isSame = true;
  const pairs = map.kvs.map((pair) => {
    const key = evaluator.par(pair.key);
    const value = evaluator.par(pair.value);
    if (key === pair.key && value === pair.value) return pair;
    isSame = false;
    return { key, value };
  });
  return isSame ? map : f1r3nodeTerms.makeMap(pairs, map.locallyFree, map.connectiveUsed, map.remainder);
}

/** Quirk 61 §6.4: the remainder is dropped. */
export function evalPathMap(evaluator: Evaluating, map: EPathMap): EPathMap {
  const items = evalItems(evaluator, map.ps);
  if (items === map.ps && map.remainder === undefined) return map;
  return new EPathMap(items, map.locallyFree, map.connectiveUsed, undefined);
}

/** The list itself where nothing changes. */
function evalItems(evaluator: Evaluating, items: readonly Par[]): readonly Par[] {
  let isSame = true;
  const values = items.map((item) => {
    const value = evaluator.par(item);
    if (value !== item) isSame = false;
    return value;
  });
  return isSame ? items : values;
}
