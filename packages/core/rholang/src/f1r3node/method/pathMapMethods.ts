import { EList, EPathMap, type Expr, Par } from "@vedette/terms";
import { diffCost, unionCost } from "../../evaluate/expression/expressionCosts.js";
import { chargeLong } from "../cost/chargeLong.js";
import { f1r3nodeReduceError } from "../f1r3nodeError.js";
import { parOf } from "../parOf.js";
import { joinedFlags } from "./collections.js";
import { type F1r3nodeMethodEvaluator, methodNotDefined, withArity } from "./F1r3nodeMethod.js";
import { type PathEntry, PathMapModel, withEntries, withoutEntries } from "./PathMapModel.js";

/** Two path maps, of which the second's number of elements is charged. */
function charged(evaluator: F1r3nodeMethodEvaluator, base: EPathMap, other: EPathMap): [PathMapModel, PathMapModel] {
  const models: [PathMapModel, PathMapModel] = [PathMapModel.of(base), PathMapModel.of(other)];
  evaluator.phlo.charge(unionCost(other.ps.length));
  return models;
}

/** All paths of both; where both have one, the first's value stays. @spec 61 §6.4 */
export function pathMapUnion(evaluator: F1r3nodeMethodEvaluator, base: EPathMap, other: EPathMap): Par {
  const [one, two] = charged(evaluator, base, other);
  return parOf(joined(one, two));
}

/** All paths of both, without a charge. */
export function joined(one: PathMapModel, two: PathMapModel): EPathMap {
  return PathMapModel.mapOf(
    withEntries(one, two.entries, (first) => first),
    joinedFlags(one, two),
  );
}

/** Paths that the second does not have. @spec 61 §6.4 */
export function pathMapDifference(evaluator: F1r3nodeMethodEvaluator, base: EPathMap, other: EPathMap): Par {
  const one = PathMapModel.of(base);
  const two = PathMapModel.of(other);
  evaluator.phlo.charge(diffCost(other.ps.length));
  return parOf(PathMapModel.mapOf(withoutEntries(one, two.entries), one));
}

/** `intersection(x)`: paths that both have. @spec 61 §6.4 */
export const intersection = withArity("intersection", 1, (evaluator, target, args) => {
  const base = evaluator.single(target);
  const other = evaluator.single(args[0]!);
  if (base.kind !== "EPathMap" || other.kind !== "EPathMap") throw methodNotDefined("intersection", base);
  const [one, two] = charged(evaluator, base, other);
  const kept = two.entries.flatMap(({ key }): PathEntry[] => {
    const value = one.get(key);
    return value === undefined ? [] : [{ key, value }];
  });
  return parOf(PathMapModel.mapOf(kept, joinedFlags(one, two)));
});

/** `restriction(x)`: paths at or below one of the second's. @spec 61 §6.4 */
export const restriction = withArity("restriction", 1, (evaluator, target, args) => {
  const base = evaluator.single(target);
  const other = evaluator.single(args[0]!);
  if (base.kind !== "EPathMap" || other.kind !== "EPathMap") throw methodNotDefined("restriction", base);
  const [one, two] = charged(evaluator, base, other);
  const kept: PathEntry[] = [];
  let from = 0;
  // In the order of the keys a path comes before those below it.
  for (const { key } of two.entries) {
    const { start, end } = one.rangeOf(key);
    for (from = Math.max(from, start); from < end; from += 1) kept.push(one.entries[from]!);
  }
  return parOf(PathMapModel.mapOf(kept, one));
});

/** `dropHead(n)`: each list without its first elements, where something is left of it. @spec 61 §6.4 */
export const dropHead = withArity("dropHead", 1, (evaluator, target, args) => {
  const base = evaluator.single(target);
  const count = evaluator.long(args[0]!);
  if (base.kind !== "EPathMap") throw methodNotDefined("dropHead", base);
  const { locallyFree, connectiveUsed } = PathMapModel.of(base);
  if (count < 0n) throw f1r3nodeReduceError(`dropHead argument must be non-negative, got: ${count}`);
  // Quirk 61 §6.4: the product wraps around, so that it may even give phlo back.
  chargeLong(evaluator.phlo, BigInt.asIntN(64, 3n * count));
  const last = lastHeads.get(base);
  if (last?.count === count) return last.result;
  const elements = base.ps.flatMap((par) => withoutHead(par, count));
  const result = parOf(new EPathMap(elements, locallyFree, connectiveUsed, undefined));
  lastHeads.set(base, { count, result });
  return result;
});

/** The result of the last call for a path map: its cost does not grow with the map. */
const lastHeads = new WeakMap<EPathMap, { readonly count: bigint; readonly result: Par }>();

function withoutHead(par: Par, count: bigint): readonly Par[] {
  const first: Expr | undefined = par.exprs[0];
  if (first?.kind !== "EList") return count === 0n ? [par] : [];
  if (BigInt(first.ps.length) <= count) return [];
  const list = new EList(first.ps.slice(Number(count)), first.locallyFree, first.connectiveUsed, first.remainder);
  return [Par.of({ ...par, exprs: [list] })];
}

/** `run(x)`: the path map itself. @spec 61 §6.4 */
export const run = withArity("run", 1, (evaluator, target, args) => {
  const base = evaluator.single(target);
  evaluator.single(args[0]!);
  if (base.kind !== "EPathMap") throw methodNotDefined("run", base);
  evaluator.phlo.charge(unionCost(1));
  return parOf(base);
});
