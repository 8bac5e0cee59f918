import { compareBytes, equalBytes, toHex } from "@vedette/crypto";
import { EList, EPathMap, type Expr, EZipper, emptyBitSet, GBool, GInt, GString, nil, type Par } from "@vedette/terms";
import { additionCost, lookupCost, removalCost, unionCost } from "../../evaluate/expression/expressionCosts.js";
import { InterpreterError } from "../../InterpreterError.js";
import { panic } from "../Panic.js";
import { parOf } from "../parOf.js";
import { type F1r3nodeMethod, type F1r3nodeMethodEvaluator, methodNotDefined, withArity } from "./F1r3nodeMethod.js";
import { keyOf, type PathEntry, PathMapModel, pathMapOf, withoutEntries } from "./PathMapModel.js";
import { joined } from "./pathMapMethods.js";
import { segmentsOf, symbolOf } from "./pathSegments.js";

const stepCost = unionCost(1);

/** A method without arguments, of which `cost` is charged once the target is evaluated. */
function onTarget(name: string, cost: number, run: (base: Expr) => Par): F1r3nodeMethod {
  return withArity(name, 0, (evaluator, target) => {
    const base = evaluator.single(target);
    evaluator.phlo.charge(cost);
    return run(base);
  });
}

/** The same with one argument, which is evaluated before the charge. */
function withOther<Argument>(
  name: string,
  cost: number,
  read: (evaluator: F1r3nodeMethodEvaluator, arg: Par) => Argument,
  run: (base: Expr, argument: Argument, evaluator: F1r3nodeMethodEvaluator) => Par,
): F1r3nodeMethod {
  return withArity(name, 1, (evaluator, target, args) => {
    const base = evaluator.single(target);
    const argument = read(evaluator, args[0]!);
    evaluator.phlo.charge(cost);
    return run(base, argument, evaluator);
  });
}

const asPar = (evaluator: F1r3nodeMethodEvaluator, arg: Par): Par => evaluator.par(arg);
const asExpr = (evaluator: F1r3nodeMethodEvaluator, arg: Par): Expr => evaluator.single(arg);

function mapOfZipper({ pathMap }: EZipper): EPathMap {
  if (pathMap === undefined) throw panic("zipper pathmap was None");
  return pathMap;
}

function moved(zipper: EZipper, path: readonly Uint8Array[]): Par {
  const { pathMap, isWriteZipper, locallyFree, connectiveUsed } = zipper;
  return parOf(new EZipper(pathMap, path, isWriteZipper, locallyFree, connectiveUsed));
}

/** `readZipper()`, `writeZipper()`: at the root. */
function zipper(name: string, isWriteZipper: boolean): F1r3nodeMethod {
  return onTarget(name, stepCost, (base) => {
    if (base.kind !== "EPathMap") throw methodNotDefined(name, base);
    return parOf(new EZipper(base, [], isWriteZipper, emptyBitSet, false));
  });
}

/** `readZipperAt(path)`, `writeZipperAt(path)`. */
function zipperAt(name: string, isWriteZipper: boolean): F1r3nodeMethod {
  return withOther(name, stepCost, asPar, (base, path) => {
    if (base.kind !== "EPathMap") throw methodNotDefined(name, base);
    return parOf(new EZipper(base, segmentsOf(path), isWriteZipper, base.locallyFree, base.connectiveUsed));
  });
}

const descendTo = withOther("descendTo", stepCost, asPar, (base, path) => {
  if (base.kind !== "EZipper") throw methodNotDefined("descendTo", base);
  return moved(base, [...base.currentPath, ...segmentsOf(path)]);
});

const getLeaf = onTarget("getLeaf", lookupCost, (base) => {
  if (base.kind === "EZipper") return PathMapModel.of(mapOfZipper(base)).get(keyOf(base.currentPath)) ?? nil;
  if (base.kind === "EPathMap") return PathMapModel.of(base).get(keyOf([])) ?? nil;
  throw methodNotDefined("getLeaf", base);
});

const getSubtrie = onTarget("getSubtrie", lookupCost, (base) => {
  if (base.kind === "EPathMap") return parOf(base);
  if (base.kind !== "EZipper") throw methodNotDefined("getSubtrie", base);
  const model = PathMapModel.of(mapOfZipper(base));
  return parOf(PathMapModel.mapOf(model.below(keyOf(base.currentPath)), model));
});

/** The elements of a path map with others behind them; of a zipper those of its map. */
function withElements(name: string, base: Expr, added: readonly Par[]): Par {
  if (base.kind !== "EZipper" && base.kind !== "EPathMap") throw methodNotDefined(name, base);
  const map = base.kind === "EZipper" ? mapOfZipper(base) : base;
  const longer = new EPathMap(map.ps.concat(added), map.locallyFree, map.connectiveUsed, map.remainder);
  PathMapModel.noteLonger(longer, map, added);
  return parOf(longer);
}

/** Quirk 61 §6.4: the value becomes an element, wherever the zipper is. */
const setLeaf = withOther("setLeaf", additionCost, asPar, (base, value) => withElements("setLeaf", base, [value]));

const graft = withOther("graft", stepCost, asExpr, (base, source) => {
  if (source.kind === "EZipper") return withElements("graft", base, mapOfZipper(source).ps);
  if (source.kind === "EPathMap") return withElements("graft", base, source.ps);
  throw methodNotDefined("graft", base);
});

const joinInto = withOther("joinInto", stepCost, asExpr, (base, source, evaluator) => {
  const isPlace = (expr: Expr) => expr.kind === "EZipper" || expr.kind === "EPathMap";
  if (!isPlace(base) || !isPlace(source)) throw methodNotDefined("joinInto", base);
  const one = base.kind === "EZipper" ? mapOfZipper(base) : (base as EPathMap);
  const two = source.kind === "EZipper" ? mapOfZipper(source) : (source as EPathMap);
  const models = [PathMapModel.of(one), PathMapModel.of(two)] as const;
  evaluator.phlo.charge(unionCost(two.ps.length));
  return parOf(joined(...models));
});

/** The map of a zipper with what is left of its paths. */
function remaining(at: EZipper, left: (model: PathMapModel, path: Uint8Array) => readonly PathEntry[]): Par {
  const model = PathMapModel.of(mapOfZipper(at));
  return parOf(PathMapModel.mapOf(left(model, keyOf(at.currentPath)), model));
}

/** Returns the entry at a path, if there is one. */
function entriesAt(model: PathMapModel, key: Uint8Array): readonly PathEntry[] {
  const value = model.get(key);
  return value === undefined ? [] : [{ key, value }];
}

/** Quirk 61 §6.4: of a path map itself the last element goes. */
const removeLeaf = onTarget("removeLeaf", removalCost, (base) => {
  if (base.kind === "EZipper") return remaining(base, (model, path) => withoutEntries(model, entriesAt(model, path)));
  if (base.kind !== "EPathMap") throw methodNotDefined("removeLeaf", base);
  return parOf(new EPathMap(base.ps.slice(0, -1), base.locallyFree, base.connectiveUsed, base.remainder));
});

const removeBranches = onTarget("removeBranches", removalCost, (base) => {
  if (base.kind === "EZipper") return remaining(base, (model, path) => model.beside(path, entriesAt(model, path)));
  if (base.kind !== "EPathMap") throw methodNotDefined("removeBranches", base);
  return parOf(new EPathMap([], base.locallyFree, base.connectiveUsed, base.remainder));
});

function needsWriting(name: string, base: Expr): EZipper {
  if (base.kind !== "EZipper") throw methodNotDefined(name, base);
  if (base.isWriteZipper) return base;
  const method = `${name} (requires write zipper)`;
  throw new InterpreterError({ class: "MethodNotDefined", method, otherType: "read zipper" });
}

const prunePath = onTarget("prunePath", removalCost, (base) =>
  remaining(needsWriting("prunePath", base), (model, path) => model.beside(path)),
);

/** Quirk 61 §6.4: the path is looked at, and nothing is made. */
const createPath = withOther("createPath", stepCost, asPar, (base, path) => {
  const at = needsWriting("createPath", base);
  segmentsOf(path);
  return parOf(mapOfZipper(at));
});

const atPath = withOther("atPath", stepCost, asPar, (base, path) => {
  if (base.kind !== "EZipper" && base.kind !== "EPathMap") throw methodNotDefined("atPath", base);
  const start = base.kind === "EZipper" ? base.currentPath : [];
  const model = PathMapModel.of(base.kind === "EZipper" ? mapOfZipper(base) : base);
  return model.get(keyOf([...start, ...segmentsOf(path)])) ?? nil;
});

const pathExists = onTarget("pathExists", stepCost, (base) => {
  if (base.kind === "EPathMap") return parOf(new GBool(base.ps.length > 0));
  if (base.kind !== "EZipper") throw methodNotDefined("pathExists", base);
  const { start, end } = PathMapModel.of(mapOfZipper(base)).rangeOf(keyOf(base.currentPath));
  return parOf(new GBool(end > start));
});

const reset = onTarget("reset", stepCost, (base) => {
  if (base.kind !== "EZipper") throw methodNotDefined("reset", base);
  return moved(base, []);
});

const ascendOne = onTarget("ascendOne", stepCost, (base) => {
  if (base.kind !== "EZipper") throw methodNotDefined("ascendOne", base);
  return base.currentPath.length === 0 ? nil : moved(base, base.currentPath.slice(0, -1));
});

const ascend = withOther("ascend", stepCost, asPar, (base, steps) => {
  const count = integerOf("ascend", steps);
  if (count < 0n) {
    const method = "ascend (steps must be non-negative)";
    throw new InterpreterError({ class: "MethodNotDefined", method, otherType: `negative: ${count}` });
  }
  if (base.kind !== "EZipper") throw methodNotDefined("ascend", base);
  const depth = base.currentPath.length;
  return moved(base, base.currentPath.slice(0, count >= BigInt(depth) ? 0 : depth - Number(count)));
});

function integerOf(name: string, par: Par): bigint {
  const [first] = par.exprs;
  if (first?.kind === "GInt") return first.value;
  const method = `${name} (requires integer argument)`;
  throw new InterpreterError({ class: "MethodNotDefined", method, otherType: "non-integer" });
}

function childrenOf(map: EPathMap, path: readonly Uint8Array[]): readonly Uint8Array[] {
  return PathMapModel.of(map).childrenOf(keyOf(path));
}

const childCount = onTarget("childCount", stepCost, (base) => {
  if (base.kind !== "EZipper" && base.kind !== "EPathMap") throw methodNotDefined("childCount", base);
  const children = base.kind === "EZipper" ? childrenOf(mapOfZipper(base), base.currentPath) : childrenOf(base, []);
  return parOf(new GInt(BigInt(children.length)));
});

/** The zipper one step below, at the child with this number; Nil where there is none. */
function descended(base: EZipper, index: bigint): Par {
  const children = childrenOf(mapOfZipper(base), base.currentPath);
  const child = index < BigInt(children.length) ? children[Number(index)] : undefined;
  return child === undefined ? nil : moved(base, [...base.currentPath, child]);
}

const descendFirst = onTarget("descendFirst", stepCost, (base) => {
  if (base.kind !== "EZipper") throw methodNotDefined("descendFirst", base);
  return descended(base, 0n);
});

const descendIndexedBranch = withOther("descendIndexedBranch", stepCost, asPar, (base, at) => {
  const index = integerOf("descendIndexedBranch", at);
  if (index < 0n) return nil;
  if (base.kind !== "EZipper") throw methodNotDefined("descendIndexedBranch", base);
  return descended(base, index);
});

/** `toNextSibling()`, `toPrevSibling()`: Nil where there is none. */
function sibling(name: string, step: 1 | -1): F1r3nodeMethod {
  return onTarget(name, stepCost, (base) => {
    if (base.kind !== "EZipper") throw methodNotDefined(name, base);
    const current = base.currentPath.at(-1);
    if (current === undefined) return nil;
    const parent = base.currentPath.slice(0, -1);
    const siblings = childrenOf(mapOfZipper(base), parent);
    const place = siblings.findIndex((other) => equalBytes(other, current));
    const next = place < 0 ? undefined : siblings[place + step];
    return next === undefined ? nil : moved(base, [...parent, next]);
  });
}

/** `setSubtrie(map)`: the paths of a map in the place of what is below the zipper. @spec 61 §6.4 */
const setSubtrie = withOther("setSubtrie", stepCost, asPar, (base, source) => {
  const [first] = source.exprs;
  if (base.kind !== "EZipper" || (base.isWriteZipper && first?.kind !== "EPathMap"))
    throw methodNotDefined("setSubtrie", base);
  const at = needsWriting("setSubtrie", base);
  const map = mapOfZipper(at);
  const model = PathMapModel.of(map);
  const prefix = keyOf(at.currentPath);
  const added = new Map<string, PathEntry>();
  const put = (key: Uint8Array, value: Par) => added.set(toHex(key), { key, value });
  const sources = (first as EPathMap).ps;
  const head = sources.length > 0 || at.currentPath.length > 0 ? elementsOf(map, at.currentPath) : [];
  for (const entry of sources) {
    const [list] = entry.exprs;
    const tail = list?.kind === "EList" ? list.ps : [];
    put(keyOf([...at.currentPath, ...segmentsOf(entry)]), listOf([...head, ...tail]));
  }
  if (sources.length === 0 && at.currentPath.length > 0) put(prefix, listOf(head));
  const inOrder = [...added.values()].sort((left, right) => compareBytes(left.key, right.key));
  return parOf(pathMapOf(model.beside(prefix, inOrder), model));
});

function listOf(items: readonly Par[]): Par {
  return parOf(new EList(items, emptyBitSet, false, undefined));
}

/** The elements of a path: those of an entry that begins with it, or else the symbols that its segments are. */
function elementsOf(map: EPathMap, path: readonly Uint8Array[]): readonly Par[] {
  for (const entry of map.ps) {
    const [list] = entry.exprs;
    if (list?.kind !== "EList" || list.ps.length < path.length) continue;
    const segments = segmentsOf(entry);
    if (path.every((segment, index) => segments[index] !== undefined && equalBytes(segments[index], segment)))
      return list.ps.slice(0, path.length);
  }
  return path.flatMap((segment) => {
    const symbol = symbolOf(segment);
    return symbol === undefined ? [] : [parOf(new GString(symbol))];
  });
}

/** Methods of path maps and of places in them. @spec 61 §6.4 */
export const zipperMethods: ReadonlyMap<string, F1r3nodeMethod> = new Map([
  ["readZipper", zipper("readZipper", false)],
  ["readZipperAt", zipperAt("readZipperAt", false)],
  ["writeZipper", zipper("writeZipper", true)],
  ["writeZipperAt", zipperAt("writeZipperAt", true)],
  ["descendTo", descendTo],
  ["getLeaf", getLeaf],
  ["getSubtrie", getSubtrie],
  ["setLeaf", setLeaf],
  ["setSubtrie", setSubtrie],
  ["removeLeaf", removeLeaf],
  ["removeBranches", removeBranches],
  ["graft", graft],
  ["joinInto", joinInto],
  ["atPath", atPath],
  ["pathExists", pathExists],
  ["createPath", createPath],
  ["prunePath", prunePath],
  ["reset", reset],
  ["ascendOne", ascendOne],
  ["ascend", ascend],
  ["toNextSibling", sibling("toNextSibling", 1)],
  ["toPrevSibling", sibling("toPrevSibling", -1)],
  ["descendFirst", descendFirst],
  ["descendIndexedBranch", descendIndexedBranch],
  ["childCount", childCount],
]);
