import {
  anyConnectiveUsed,
  EList,
  type EMap,
  ESet,
  ETuple,
  type Expr,
  elementsWithoutOthers,
  emptyBitSet,
  GBool,
  GInt,
  type KeyValuePair,
  makeSet,
  nil,
  type Par,
  parOfExpr,
  rnodeAtoms,
  unionOfLocallyFree,
  unitedElements,
} from "@vedette/terms";
import { InterpreterError, reduceError } from "../../InterpreterError.js";
import {
  additionCost,
  diffCost,
  keysCost,
  lookupCost,
  nthCost,
  removalCost,
  unionCost,
} from "../expression/expressionCosts.js";
import { joinedFlags } from "./flags.js";
import { type Method, methodNotDefined, singleExpr } from "./Method.js";
import { madeOnce } from "./madeOnce.js";
import {
  entriesWith,
  entriesWithoutKey,
  entriesWithoutKeys,
  findKey,
  flaggedMap,
  joinedEntries,
  mapOf,
  mapOfSorted,
} from "./mapEntries.js";
import { elementsWith, elementsWithout, findElement, flaggedSet, setOf } from "./setElements.js";

/** `nth(i)` of a list, a tuple or a byte array. The index is evaluated before the target. @spec 21 §6.3 */
export const nth: Method = {
  arity: 1,
  run(evaluator, target, args) {
    evaluator.phlo.charge(nthCost);
    const index = evaluator.int(args[0]!);
    const base = evaluator.single(target);
    switch (base.kind) {
      case "EList":
      case "ETuple":
        return base.ps[index] ?? outOfBound(index);
      case "GByteArray": {
        const byte = base.value[index];
        return byte === undefined ? outOfBound(index) : parOfExpr(new GInt(BigInt(byte)));
      }
      default:
        throw reduceError("Error: nth applied to something that wasn't a list or tuple.");
    }
  },
};

function outOfBound(index: number): Par {
  throw reduceError(`Error: index out of bound: ${index}`);
}

/** `union(x)` of two sets or two maps; in maps the argument's values win. @spec 21 §6.3 */
export const union: Method = {
  arity: 1,
  run(evaluator, target, args): Par {
    const base = evaluator.single(target);
    const other = evaluator.single(args[0]!);
    if (base.kind === "ESet" && other.kind === "ESet") {
      evaluator.phlo.charge(unionCost(other.ps.length));
      const { locallyFree, connectiveUsed } = joinedFlags(base, other);
      return parOfExpr(new ESet(unitedElements(base.ps, other.ps, rnodeAtoms), locallyFree, connectiveUsed, undefined));
    }
    if (base.kind === "EMap" && other.kind === "EMap") {
      evaluator.phlo.charge(unionCost(other.kvs.length));
      return parOfExpr(flaggedMap(joinedEntries(base, other), joinedFlags(base, other)));
    }
    // The text names the target's type even when the argument is to blame.
    throw methodNotDefined("union", base);
  },
};

/** `diff(x)`: without the argument's elements or keys. @spec 21 §6.3 */
export const diff: Method = {
  arity: 1,
  run(evaluator, target, args) {
    const base = evaluator.single(target);
    const other = evaluator.single(args[0]!);
    if (base.kind === "ESet" && other.kind === "ESet") {
      evaluator.phlo.charge(diffCost(other.ps.length));
      const left = elementsWithoutOthers(base.ps, other.ps, rnodeAtoms);
      return parOfExpr(setOf(left ?? base.ps.filter((element) => findElement(other.ps, element) === -1)));
    }
    if (base.kind === "EMap" && other.kind === "EMap") {
      evaluator.phlo.charge(diffCost(other.kvs.length));
      return parOfExpr(mapOfSorted(entriesWithoutKeys(base, other)));
    }
    // The text names the target's type even when the argument is to blame.
    throw methodNotDefined("diff", base);
  },
};

/** `add(x)` of a set. @spec 21 §6.3 */
export const add: Method = {
  arity: 1,
  run(evaluator, target, args) {
    const base = evaluator.single(target);
    const element = evaluator.par(args[0]!);
    evaluator.phlo.charge(additionCost);
    if (base.kind !== "ESet") throw methodNotDefined("add", base);
    return parOfExpr(flaggedSet(elementsWith(base, element), joinedFlags(base, element)));
  },
};

/**
 * `delete(x)` of a set or, by its key, of a map.
 *
 * Quirk 21 §6.3: the flags of what was removed are joined to those of the result.
 *
 * @spec 21 §6.3
 */
export const deletion: Method = {
  arity: 1,
  run(evaluator, target, args) {
    const base = evaluator.single(target);
    const removed = evaluator.par(args[0]!);
    evaluator.phlo.charge(removalCost);
    if (base.kind === "ESet") return parOfExpr(flaggedSet(elementsWithout(base, removed), joinedFlags(base, removed)));
    if (base.kind === "EMap") {
      return parOfExpr(flaggedMap(entriesWithoutKey(base, removed), joinedFlags(base, removed)));
    }
    throw methodNotDefined("delete", base);
  },
};

/** `contains(x)` of a set, or of the keys of a map. @spec 21 §6.3 */
export const contains: Method = {
  arity: 1,
  run(evaluator, target, args) {
    const base = evaluator.single(target);
    const query = evaluator.par(args[0]!);
    evaluator.phlo.charge(lookupCost);
    if (base.kind === "ESet") return parOfExpr(new GBool(findElement(base.ps, query) !== -1));
    if (base.kind === "EMap") return parOfExpr(new GBool(findKey(base.kvs, query) !== -1));
    throw methodNotDefined("contains", base);
  },
};

/** `get(k)` of a map; Nil where the key is missing. @spec 21 §6.3 */
export const get: Method = {
  arity: 1,
  run(evaluator, target, args) {
    const base = evaluator.single(target);
    const key = evaluator.par(args[0]!);
    evaluator.phlo.charge(lookupCost);
    if (base.kind !== "EMap") throw methodNotDefined("get", base);
    return base.kvs[findKey(base.kvs, key)]?.value ?? nil;
  },
};

/** `getOrElse(k, d)` of a map; the default is always evaluated. @spec 21 §6.3 */
export const getOrElse: Method = {
  arity: 2,
  run(evaluator, target, args) {
    const base = evaluator.single(target);
    const key = evaluator.par(args[0]!);
    const otherwise = evaluator.par(args[1]!);
    evaluator.phlo.charge(lookupCost);
    if (base.kind !== "EMap") throw methodNotDefined("getOrElse", base);
    return base.kvs[findKey(base.kvs, key)]?.value ?? otherwise;
  },
};

/** `set(k, v)` of a map. @spec 21 §6.3 */
export const set: Method = {
  arity: 2,
  run(evaluator, target, args) {
    const base = evaluator.single(target);
    const key = evaluator.par(args[0]!);
    const value = evaluator.par(args[1]!);
    evaluator.phlo.charge(additionCost);
    if (base.kind !== "EMap") throw methodNotDefined("set", base);
    return parOfExpr(mapOfSorted(entriesWith(base, key, value)));
  },
};

/** `keys()` of a map, as a set. @spec 21 §6.3 */
export const keys: Method = {
  arity: 0,
  run(evaluator, target) {
    const base = evaluator.single(target);
    evaluator.phlo.charge(keysCost);
    if (base.kind !== "EMap") throw methodNotDefined("keys", base);
    return keySet(base);
  },
};

const keySet = madeOnce((map: EMap) => parOfExpr(setOf(map.kvs.map((pair) => pair.key))));

/** `size()` of a map or a set, which is also its cost. @spec 21 §6.3 */
export const size: Method = {
  arity: 0,
  run(evaluator, target) {
    const base = evaluator.single(target);
    if (base.kind !== "EMap" && base.kind !== "ESet") throw methodNotDefined("size", base);
    const count = base.kind === "EMap" ? base.kvs.length : base.ps.length;
    evaluator.phlo.charge(count);
    return parOfExpr(new GInt(BigInt(count)));
  },
};

/** `toList()` of a set, a map (of pairs) or a tuple, at the cost of its size; a list stays as it is. @spec 21 §6.3 */
export const toList: Method = {
  arity: 0,
  run(evaluator, target) {
    const base = evaluator.single(target);
    if (base.kind === "EList") return parOfExpr(base);
    evaluator.phlo.charge(itemCount(base));
    return base.kind === "EMap" ? pairList(base) : parOfExpr(listOf((base as ESet | ETuple).ps));
  },
};

function itemCount(base: Expr): number {
  if (base.kind === "ESet" || base.kind === "ETuple") return base.ps.length;
  if (base.kind === "EMap") return base.kvs.length;
  throw methodNotDefined("toList", base);
}

/** A list with empty flags. */
export function listOf(items: readonly Par[]): EList {
  return new EList(items, emptyBitSet, false, undefined);
}

const pairList = madeOnce((map: EMap) => parOfExpr(listOf(map.kvs.map(entryTuple))));

/** `toSet()` of a list or a map (of pairs); a set stays as it is. @spec 21 §6.3 */
export const toSet: Method = {
  arity: 0,
  run(evaluator, target) {
    const base = evaluator.single(target);
    switch (base.kind) {
      case "ESet":
        return parOfExpr(base);
      case "EMap":
      case "EList":
        return setFrom(base);
      default:
        throw methodNotDefined("toSet", base);
    }
  },
};

const setFrom = madeOnce((base: EMap | EList) => {
  if (base.kind === "EMap") return parOfExpr(setOf(base.kvs.map(entryTuple)));
  const used = anyConnectiveUsed(base.ps) || base.remainder !== undefined;
  return parOfExpr(makeSet(base.ps, unionOfLocallyFree(base.ps), used, base.remainder, rnodeAtoms));
});

/** `toMap()` of a set or a list of pairs, of which later ones win; a map stays as it is. @spec 21 §6.3 */
export const toMap: Method = {
  arity: 0,
  run(evaluator, target) {
    const base = evaluator.single(target);
    switch (base.kind) {
      case "EMap":
        return parOfExpr(base);
      case "ESet":
      case "EList":
        return mapFrom(base);
      default:
        throw methodNotDefined("toMap", base);
    }
  },
};

const mapFrom = madeOnce((base: ESet | EList) => parOfExpr(mapOf(base.ps.map((item) => pairOf(item, "toMap")))));

/** The entry of a map that a pair becomes. @throws {InterpreterError} for an item that is no pair */
export function pairOf(item: Par, method: string): KeyValuePair {
  const tuple = singleExpr(item);
  if (tuple?.kind !== "ETuple" || tuple.ps.length !== 2)
    throw new InterpreterError({ class: "MethodNotDefined", method, otherType: "types except List[(K,V)]" });
  return { key: tuple.ps[0]!, value: tuple.ps[1]! };
}

/** A map's entry as `(key, value)`, with empty flags. @spec 21 §6.3 */
function entryTuple(entry: KeyValuePair): Par {
  return parOfExpr(new ETuple([entry.key, entry.value], emptyBitSet, false));
}
