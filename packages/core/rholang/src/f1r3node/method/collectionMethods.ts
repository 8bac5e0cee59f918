import {
  ascendingAs,
  type EList,
  EMap,
  ESet,
  ETuple,
  type Expr,
  elementsWithoutOthers,
  emptyBitSet,
  entriesWithoutOthers,
  f1r3nodeAtoms,
  f1r3nodeElementsWith,
  f1r3nodeEntriesWith,
  f1r3nodeTerms,
  GBool,
  GInt,
  type KeyValuePair,
  nil,
  type Par,
  unitedElements,
  unitedEntries,
} from "@vedette/terms";
import {
  additionCost,
  diffCost,
  keysCost,
  lookupCost,
  nthCost,
  removalCost,
  unionCost,
} from "../../evaluate/expression/expressionCosts.js";
import { listOf, pairOf } from "../../evaluate/method/collectionMethods.js";
import { madeOnce } from "../../evaluate/method/madeOnce.js";
import { f1r3nodeReduceError } from "../f1r3nodeError.js";
import { parOf } from "../parOf.js";
import { findElement, findKey, flaggedMap, flaggedSet, joinedFlags, mapOf, setOf } from "./collections.js";
import { type F1r3nodeMethod, methodNotDefined, withArity } from "./F1r3nodeMethod.js";
import { pathMapDifference, pathMapUnion } from "./pathMapMethods.js";

/** `nth(i)` of a list, a tuple or a byte array. @spec 21 §6.3 */
export const nth = withArity("nth", 1, (evaluator, target, args) => {
  evaluator.phlo.charge(nthCost);
  const index = evaluator.long(args[0]!);
  const base = evaluator.single(target);
  if (base.kind === "GByteArray") {
    const byte = at(base.value.length, index);
    return parOf(new GInt(BigInt(base.value[byte]!)));
  }
  if (base.kind === "EList" || base.kind === "ETuple") return base.ps[at(base.ps.length, index)]!;
  throw f1r3nodeReduceError("Error: nth applied to something that wasn't a list or tuple.");
});

/** The place, where there is one. */
function at(length: number, index: bigint): number {
  if (index >= 0n && index < BigInt(length)) return Number(index);
  throw f1r3nodeReduceError(`Error: index out of bound: ${BigInt.asUintN(64, index)}`);
}

/** `union(x)` of two sets, maps or path maps; in maps the argument's values win. @spec 21 §6.3, 61 §6.4 */
export const union = withArity("union", 1, (evaluator, target, args) => {
  const base = evaluator.single(target);
  const other = evaluator.single(args[0]!);
  if (base.kind === "ESet" && other.kind === "ESet") {
    evaluator.phlo.charge(unionCost(other.ps.length));
    const { locallyFree, connectiveUsed } = joinedFlags(base, other);
    return parOf(new ESet(unitedElements(base.ps, other.ps, f1r3nodeAtoms), locallyFree, connectiveUsed, undefined));
  }
  if (base.kind === "EMap" && other.kind === "EMap") {
    evaluator.phlo.charge(unionCost(other.kvs.length));
    const { locallyFree, connectiveUsed } = joinedFlags(base, other);
    const entries = unitedEntries(base.kvs, other.kvs, false, f1r3nodeAtoms);
    return parOf(new EMap(entries, locallyFree, connectiveUsed, undefined));
  }
  if (base.kind === "EPathMap" && other.kind === "EPathMap") return pathMapUnion(evaluator, base, other);
  throw methodNotDefined("union", base);
});

/** `diff(x)`: without the argument's elements, keys or paths. @spec 21 §6.3, 61 §6.4 */
export const diff = withArity("diff", 1, (evaluator, target, args) => {
  const base = evaluator.single(target);
  const other = evaluator.single(args[0]!);
  if (base.kind === "ESet" && other.kind === "ESet") {
    evaluator.phlo.charge(diffCost(other.ps.length));
    const left = elementsWithoutOthers(base.ps, other.ps, f1r3nodeAtoms);
    return parOf(setOf(left ?? base.ps.filter((element) => findElement(other.ps, element) === -1)));
  }
  if (base.kind === "EMap" && other.kind === "EMap") {
    evaluator.phlo.charge(diffCost(other.kvs.length));
    const left = entriesWithoutOthers(base.kvs, other.kvs, f1r3nodeAtoms);
    return parOf(mapOf(left ?? base.kvs.filter(({ key }) => findKey(other.kvs, key) === -1)));
  }
  if (base.kind === "EPathMap" && other.kind === "EPathMap") return pathMapDifference(evaluator, base, other);
  throw methodNotDefined("diff", base);
});

/** `add(x)` of a set. @spec 21 §6.3 */
export const add = withArity("add", 1, (evaluator, target, args) => {
  const base = evaluator.single(target);
  const element = evaluator.par(args[0]!);
  evaluator.phlo.charge(additionCost);
  if (base.kind !== "ESet") throw methodNotDefined("add", base);
  return parOf(flaggedSet(f1r3nodeElementsWith(base.ps, element), joinedFlags(base, element)));
});

/** `delete(x)` of a set or, by its key, of a map. @spec 21 §6.3 */
export const deletion = withArity("delete", 1, (evaluator, target, args) => {
  const base = evaluator.single(target);
  const removed = evaluator.par(args[0]!);
  evaluator.phlo.charge(removalCost);
  if (base.kind === "ESet")
    return parOf(flaggedSet(without(base.ps, findElement(base.ps, removed)), joinedFlags(base, removed)));
  if (base.kind === "EMap")
    return parOf(flaggedMap(without(base.kvs, findKey(base.kvs, removed)), joinedFlags(base, removed)));
  throw methodNotDefined("delete", base);
});

function without<T>(list: readonly T[], place: number): readonly T[] {
  return place === -1 ? list : ascendingAs(list, list.toSpliced(place, 1));
}

/** `contains(x)` of a set, or of the keys of a map. @spec 21 §6.3 */
export const contains = withArity("contains", 1, (evaluator, target, args) => {
  const base = evaluator.single(target);
  const query = evaluator.par(args[0]!);
  evaluator.phlo.charge(lookupCost);
  if (base.kind === "ESet") return parOf(new GBool(findElement(base.ps, query) !== -1));
  if (base.kind === "EMap") return parOf(new GBool(findKey(base.kvs, query) !== -1));
  throw methodNotDefined("contains", base);
});

/** `get(k)` of a map; Nil where the key is missing. @spec 21 §6.3 */
export const get = withArity("get", 1, (evaluator, target, args) => {
  const base = evaluator.single(target);
  const key = evaluator.par(args[0]!);
  evaluator.phlo.charge(lookupCost);
  if (base.kind !== "EMap") throw methodNotDefined("get", base);
  return base.kvs[findKey(base.kvs, key)]?.value ?? nil;
});

/** `getOrElse(k, d)` of a map; the default is always evaluated. @spec 21 §6.3 */
export const getOrElse = withArity("get_or_else", 2, (evaluator, target, args) => {
  const base = evaluator.single(target);
  const key = evaluator.par(args[0]!);
  const otherwise = evaluator.par(args[1]!);
  evaluator.phlo.charge(lookupCost);
  if (base.kind !== "EMap") throw methodNotDefined("get_or_else", base);
  return base.kvs[findKey(base.kvs, key)]?.value ?? otherwise;
});

/** `set(k, v)` of a map. @spec 21 §6.3 */
export const set = withArity("set", 2, (evaluator, target, args) => {
  const base = evaluator.single(target);
  const key = evaluator.par(args[0]!);
  const value = evaluator.par(args[1]!);
  evaluator.phlo.charge(additionCost);
  if (base.kind !== "EMap") throw methodNotDefined("set", base);
  return parOf(mapOf(f1r3nodeEntriesWith(base.kvs, { key, value })));
});

/** `keys()` of a map, as a set. @spec 21 §6.3 */
export const keys = withArity("keys", 0, (evaluator, target) => {
  const base = evaluator.single(target);
  evaluator.phlo.charge(keysCost);
  if (base.kind !== "EMap") throw methodNotDefined("keys", base);
  return keySet(base);
});

const keySet = madeOnce((map: EMap) => parOf(setOf(map.kvs.map(({ key }) => key))));

/** `size()` of a set or map, which is what it costs. @spec 21 §6.3 */
export const size = withArity("size", 0, (evaluator, target) => {
  const base = evaluator.single(target);
  if (base.kind !== "ESet" && base.kind !== "EMap") throw methodNotDefined("size", base);
  const count = base.kind === "ESet" ? base.ps.length : base.kvs.length;
  evaluator.phlo.charge(count);
  return parOf(new GInt(BigInt(count)));
});

/** `toList()` of a set, a map (of pairs) or a tuple, at the cost of its size; a list stays as it is. @spec 21 §6.3 */
export const toList = withArity("to_list", 0, (evaluator, target) => {
  const base = evaluator.single(target);
  if (base.kind === "EList") return parOf(base);
  evaluator.phlo.charge(itemCount(base));
  return base.kind === "EMap" ? pairList(base) : parOf(listOf((base as ESet | ETuple).ps));
});

function itemCount(base: Expr): number {
  if (base.kind === "ESet" || base.kind === "ETuple") return base.ps.length;
  if (base.kind === "EMap") return base.kvs.length;
  throw methodNotDefined("to_list", base);
}

const pairList = madeOnce((map: EMap) => parOf(listOf(map.kvs.map(entryTuple))));

function entryTuple({ key, value }: KeyValuePair): Par {
  return parOf(new ETuple([key, value], emptyBitSet, false));
}

/** `toSet()` of a list or a map (of pairs); a set stays as it is. @spec 21 §6.3 */
export const toSet = withArity("to_set", 0, (evaluator, target) => {
  const base = evaluator.single(target);
  switch (base.kind) {
    case "ESet":
      return parOf(base);
    case "EMap":
    case "EList":
      return setFrom(base);
    default:
      throw methodNotDefined("to_set", base);
  }
});

const setFrom = madeOnce((base: EMap | EList) => {
  const elements = base.kind === "EMap" ? base.kvs.map(entryTuple) : base.ps;
  return parOf(f1r3nodeTerms.makeSet(elements, base.locallyFree, base.connectiveUsed, base.remainder));
});

/** `toMap()` of a set or a list of pairs, of which later ones win; a map stays as it is. @spec 21 §6.3 */
export const toMap: F1r3nodeMethod = withArity("to_map", 0, (evaluator, target) => {
  const base = evaluator.single(target);
  switch (base.kind) {
    case "EMap":
      return parOf(base);
    case "ESet":
    case "EList":
      return mapFrom(base);
    default:
      throw methodNotDefined("to_map", base);
  }
});

const mapFrom = madeOnce((base: ESet | EList) =>
  parOf(
    f1r3nodeTerms.makeMap(
      base.ps.map((item) => pairOf(item, "to_map")),
      base.locallyFree,
      base.connectiveUsed,
      base.remainder,
    ),
  ),
);
