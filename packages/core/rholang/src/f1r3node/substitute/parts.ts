import {
  type BitSet,
  type Connective,
  type Expr,
  emptyBitSet,
  exprConnectiveUsed,
  exprIndices,
  oneIndex,
  Par,
  uniteIndices,
} from "@vedette/terms";
import { equalBits, isSameList, type Replaced } from "../../evaluate/substitute/replace.js";
import { hasOnlyExprs } from "../../match/hasOnlyExprs.js";

/** The members of a set that are below a limit: of f1r3node's sets, the first bytes. @spec 61 §5 */
export function indicesBelow(indices: BitSet, limit: number): BitSet {
  if (indices.length <= limit) return indices;
  return limit <= 0 ? emptyBitSet : indices.subarray(0, limit);
}

/** Collects what becomes of the expressions or connectives of a Par. */
export class Replacing<T> {
  private kept: T[] = [];
  private values: Par[] = [];
  private locallyFree: BitSet = emptyBitSet;
  private connectiveUsed = false;
  private changed = false;

  constructor(private readonly before: readonly T[]) {}

  value(par: Par): void {
    this.changed = true;
    this.values.push(par);
    this.add(par.locallyFree, par.connectiveUsed);
  }

  expr(this: Replacing<Expr>, expr: Expr, was: Expr, depth: number): void {
    this.keep(expr, was);
    this.add(exprIndices(expr, depth), exprConnectiveUsed(expr));
  }

  /** Quirk 20 §6.2: what was known of free variables before is lost. */
  connective(this: Replacing<Connective>, connective: Connective, was: Connective, depth: number): void {
    this.keep(connective, was);
    const isFree = connective.kind === "VarRef" && connective.depth === depth;
    this.locallyFree = isFree ? oneIndex(connective.index) : emptyBitSet;
    const isPattern = connective.kind !== "VarRef" && connective.kind !== "EmptyConnective";
    this.connectiveUsed ||= isPattern;
  }

  result(): Replaced<T> {
    // Quirk 61 §6: what stays is turned round.
    const isTurned = this.kept.length > 1;
    const kept = this.changed || isTurned ? this.kept.reverse() : this.before;
    const { values, locallyFree, connectiveUsed } = this;
    return { kept, values, locallyFree, connectiveUsed };
  }

  private keep(part: T, was: T): void {
    if (part !== was) this.changed = true;
    this.kept.push(part);
  }

  private add(locallyFree: BitSet, connectiveUsed: boolean): void {
    this.locallyFree = uniteIndices(this.locallyFree, locallyFree);
    this.connectiveUsed ||= connectiveUsed;
  }
}

/**
 * Makes a Par with replaced expressions and connectives: the replacements come after the rest, connectives first.
 *
 * @param rest   the other lists as they became
 * @param before the term that `rest` was made from; returned if nothing changed
 */
export function assembled(before: Par, rest: Par, exprs: Replaced<Expr>, connectives: Replaced<Connective>): Par {
  const locallyFree = uniteIndices(uniteIndices(rest.locallyFree, connectives.locallyFree), exprs.locallyFree);
  const used = rest.connectiveUsed || connectives.connectiveUsed || exprs.connectiveUsed;
  const values = connectives.values.length === 0 ? exprs.values : [...connectives.values, ...exprs.values];
  if (values.length === 0) {
    const isSame =
      hasListsOf(rest, before) &&
      exprs.kept === before.exprs &&
      connectives.kept === before.connectives &&
      used === before.connectiveUsed &&
      equalBits(locallyFree, before.locallyFree);
    if (isSame) return before;
  }
  const result = new Par(
    joined(rest.sends, values, (value) => value.sends),
    joined(rest.receives, values, (value) => value.receives),
    joined(rest.news, values, (value) => value.news),
    joinedExprs(exprs, connectives),
    joined(rest.matches, values, (value) => value.matches),
    joined(before.unforgeables, values, (value) => value.unforgeables),
    joined(rest.bundles, values, (value) => value.bundles),
    joined(joined(connectives.kept, connectives.values, connectivesOf), exprs.values, connectivesOf),
    locallyFree,
    used,
    joined(rest.conditionals, values, (value) => value.conditionals),
  );
  return values.length === 1 && isSamePar(result, values[0]!) ? values[0]! : result;
}

/** Whether a Par with one expression is that and nothing else. */
export function isOneExpr(term: Par): boolean {
  return hasOnlyExprs(term) && term.conditionals.length === 0;
}

const connectivesOf = (value: Par): readonly Connective[] => value.connectives;
const exprsOf = (value: Par): readonly Expr[] => value.exprs;

function joinedExprs(exprs: Replaced<Expr>, connectives: Replaced<Connective>): readonly Expr[] {
  const fromConnectives = joined<Expr>([], connectives.values, exprsOf);
  const kept = fromConnectives.length === 0 ? exprs.kept : [...fromConnectives, ...exprs.kept];
  return joined(kept, exprs.values, exprsOf);
}

function hasListsOf(rest: Par, before: Par): boolean {
  return (
    rest.sends === before.sends &&
    rest.receives === before.receives &&
    rest.news === before.news &&
    rest.matches === before.matches &&
    rest.bundles === before.bundles &&
    rest.conditionals === before.conditionals
  );
}

function joined<T>(first: readonly T[], values: readonly Par[], listOf: (value: Par) => readonly T[]): readonly T[] {
  let list = first;
  for (const value of values) {
    const added = listOf(value);
    if (added.length > 0) list = list.length === 0 ? added : list.concat(added);
  }
  return list;
}

function isSamePar(result: Par, value: Par): boolean {
  return (
    isSameList(result.sends, value.sends) &&
    isSameList(result.receives, value.receives) &&
    isSameList(result.news, value.news) &&
    isSameList(result.exprs, value.exprs) &&
    isSameList(result.matches, value.matches) &&
    isSameList(result.unforgeables, value.unforgeables) &&
    isSameList(result.bundles, value.bundles) &&
    isSameList(result.connectives, value.connectives) &&
    isSameList(result.conditionals, value.conditionals) &&
    result.connectiveUsed === value.connectiveUsed &&
    equalBits(result.locallyFree, value.locallyFree)
  );
}
