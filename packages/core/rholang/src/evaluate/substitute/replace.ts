import {
  type BitSet,
  type Connective,
  ConnectiveAnd,
  ConnectiveNot,
  ConnectiveOr,
  type EVar,
  type Expr,
  emptyBitSet,
  exprConnectiveUsed,
  exprLocallyFree,
  Par,
  singleBit,
  unionBits,
  type Var,
} from "@vedette/terms";
import { type InterpreterError, wordedError } from "../../InterpreterError.js";
import type { Substitution } from "./Substitution.js";

/** The result of replacing the expressions, or the connectives, of a Par. @spec 21 §4.1 */
export interface Replaced<T> {
  /** Those that stay, in their order; the list itself where nothing changed. */
  readonly kept: readonly T[];
  /** Processes that were put in the place of the others, in the order of the result. */
  readonly values: readonly Par[];
  readonly locallyFree: BitSet;
  readonly connectiveUsed: boolean;
}

const noPars: readonly never[] = [];

/**
 * Goes over the expressions from last to first. The kept ones stay in order; the value of a *later* variable comes
 * before the value of an earlier one.
 *
 * Quirk 21 §4.1: unsorted bodies keep this order, and decides which random state each process gets.
 *
 * @spec 21 §4.1
 */
export function replaceExprs(
  substitution: Substitution,
  exprs: readonly Expr[],
  depth: number,
  shift: number,
): Replaced<Expr> {
  // From last to first; undefined as long as nothing changes.
  let kept: Expr[] | undefined;
  let values: Par[] | undefined;
  let locallyFree = emptyBitSet;
  let connectiveUsed = false;
  for (let i = exprs.length - 1; i >= 0; i -= 1) {
    const expr = exprs[i]!;
    const value = expr.kind === "EVar" && depth === 0 ? replacement(substitution, expr, shift) : undefined;
    if (value !== undefined) {
      kept ??= exprs.slice(i + 1).reverse();
      values ??= [];
      values.push(value);
      locallyFree = unionBits(locallyFree, value.locallyFree);
      connectiveUsed ||= value.connectiveUsed;
      continue;
    }
    const result = substitution.expr(expr, depth, shift);
    if (kept === undefined && result !== expr) kept = exprs.slice(i + 1).reverse();
    kept?.push(result);
    locallyFree = unionBits(locallyFree, exprLocallyFree(result, depth));
    connectiveUsed ||= exprConnectiveUsed(result);
  }
  return { kept: kept?.reverse() ?? exprs, values: values ?? noPars, locallyFree, connectiveUsed };
}

/** The value of a variable at pattern depth 0; `undefined` where it has none. @spec 21 §4.1 */
export function replacement(substitution: Substitution, expr: EVar, shift: number): Par | undefined {
  if (expr.v.kind === "BoundVar") return substitution.valueOf(expr.v.index, shift);
  throw illegalSubstitution(expr.v);
}

function illegalSubstitution(v: Var): InterpreterError {
  return wordedError("SubstituteError", `Illegal Substitution [${printVar(v)}]`);
}

/** rnode's own text for a message, seen only in this error. */
function printVar(v: Var): string {
  switch (v.kind) {
    case "FreeVar":
      return `Var(FreeVar(${v.index}))`;
    case "BoundVar":
      return `Var(BoundVar(${v.index}))`;
    case "Wildcard":
      return "Var(Wildcard(WildcardMsg()))";
    case "EmptyVar":
      return "Var(Empty)";
  }
}

/**
 * Goes over the connectives from last to first, as {@link replaceExprs}; only variable references are replaced.
 *
 * Quirk 21 §3.2: a connective that is put in front overwrites what was known about free variables so far.
 *
 * @spec 21 §4.1, 22 §5.3
 */
export function replaceConnectives(
  substitution: Substitution,
  connectives: readonly Connective[],
  depth: number,
  shift: number,
): Replaced<Connective> {
  // From last to first; undefined as long as nothing changes.
  let kept: Connective[] | undefined;
  let values: Par[] | undefined;
  let locallyFree = emptyBitSet;
  let connectiveUsed = false;
  for (let i = connectives.length - 1; i >= 0; i -= 1) {
    const connective = connectives[i]!;
    if (connective.kind === "VarRef" && connective.depth === depth) {
      const value = substitution.valueOf(connective.index, shift);
      if (value !== undefined) {
        kept ??= connectives.slice(i + 1).reverse();
        values ??= [];
        values.push(value);
        locallyFree = unionBits(locallyFree, value.locallyFree);
        connectiveUsed ||= value.connectiveUsed;
        continue;
      }
    }
    if (connective.kind === "EmptyConnective") {
      kept ??= connectives.slice(i + 1).reverse();
      continue;
    }
    const result = inConnective(substitution, connective, depth, shift);
    if (kept === undefined && result !== connective) kept = connectives.slice(i + 1).reverse();
    kept?.push(result);
    locallyFree = result.kind === "VarRef" && result.depth === depth ? singleBit(result.index) : emptyBitSet;
    connectiveUsed ||= result.kind !== "VarRef";
  }
  return { kept: kept?.reverse() ?? connectives, values: values ?? noPars, locallyFree, connectiveUsed };
}

function inConnective(substitution: Substitution, connective: Connective, depth: number, shift: number): Connective {
  switch (connective.kind) {
    case "ConnectiveAnd": {
      const ps = substitution.pars(connective.ps, depth, shift);
      return ps === connective.ps ? connective : new ConnectiveAnd(ps);
    }
    case "ConnectiveOr": {
      const ps = substitution.pars(connective.ps, depth, shift);
      return ps === connective.ps ? connective : new ConnectiveOr(ps);
    }
    case "ConnectiveNot": {
      const body = substitution.par(connective.body, depth, shift);
      return body === connective.body ? connective : new ConnectiveNot(body);
    }
    default:
      return connective;
  }
}

/**
 * Puts the parts of a substituted Par together: in each list first the kept terms, then those for connectives, then
 * those for variables.
 *
 * @spec 21 §3.2, §4.1
 * @param rest the term with its processes substituted and its set of free variables cut
 */
export function assembled(term: Par, rest: Par, exprs: Replaced<Expr>, connectives: Replaced<Connective>): Par {
  const locallyFree = unionBits(rest.locallyFree, unionBits(connectives.locallyFree, exprs.locallyFree));
  const used = term.connectiveUsed || connectives.connectiveUsed || exprs.connectiveUsed;
  if (exprs.values.length > 0 || connectives.values.length > 0)
    return withValues(term, rest, { exprs, connectives, locallyFree, connectiveUsed: used });
  const sameBits = equalBits(locallyFree, term.locallyFree);
  const isRest = exprs.kept === term.exprs && connectives.kept === term.connectives && used === term.connectiveUsed;
  if (isRest && sameBits && hasListsOf(rest, term)) return term;
  const { sends, receives, news, matches, bundles, unforgeables } = rest;
  const bits = sameBits ? term.locallyFree : locallyFree;
  return new Par(sends, receives, news, exprs.kept, matches, unforgeables, bundles, connectives.kept, bits, used);
}

function hasListsOf(rest: Par, term: Par): boolean {
  return (
    rest === term ||
    (rest.sends === term.sends &&
      rest.receives === term.receives &&
      rest.news === term.news &&
      rest.matches === term.matches &&
      rest.bundles === term.bundles)
  );
}

interface Parts {
  readonly exprs: Replaced<Expr>;
  readonly connectives: Replaced<Connective>;
  readonly locallyFree: BitSet;
  readonly connectiveUsed: boolean;
}

function withValues(term: Par, rest: Par, parts: Parts): Par {
  const { exprs, connectives, locallyFree, connectiveUsed } = parts;
  const values = connectives.values.length === 0 ? exprs.values : [...connectives.values, ...exprs.values];
  const result = new Par(
    joined(rest.sends, values, (value) => value.sends),
    joined(rest.receives, values, (value) => value.receives),
    joined(rest.news, values, (value) => value.news),
    joinedExprs(exprs, connectives),
    joined(rest.matches, values, (value) => value.matches),
    joined(term.unforgeables, values, (value) => value.unforgeables),
    joined(rest.bundles, values, (value) => value.bundles),
    joined(connectives.kept, values, (value) => value.connectives),
    locallyFree,
    connectiveUsed,
  );
  return values.length === 1 && isSamePar(result, values[0]!) ? values[0]! : result;
}

/** One list of the result; the list of a value itself where no other has elements. */
function joined<T>(first: readonly T[], values: readonly Par[], listOf: (value: Par) => readonly T[]): readonly T[] {
  let list = first;
  let own: T[] | undefined;
  for (const value of values) {
    const added = listOf(value);
    if (added.length === 0) continue;
    if (own !== undefined) for (const element of added) own.push(element);
    else if (list.length === 0) list = added;
    else own = list.concat(added);
  }
  return own ?? list;
}

function joinedExprs(exprs: Replaced<Expr>, connectives: Replaced<Connective>): readonly Expr[] {
  const fromConnectives = joined<Expr>(noPars, connectives.values, (value) => value.exprs);
  const kept = fromConnectives.length === 0 ? exprs.kept : [...fromConnectives, ...exprs.kept];
  return joined(kept, exprs.values, (value) => value.exprs);
}

/** Whether a result is a value and nothing more. */
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
    equalBits(result.locallyFree, value.locallyFree) &&
    result.connectiveUsed === value.connectiveUsed
  );
}

export function isSameList(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some === others || (some.length === 0 && others.length === 0);
}

/** Whether two sets of free variables are the same. @spec 20 §10 */
export function equalBits(one: BitSet, other: BitSet): boolean {
  if (one === other) return true;
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i += 1) if (one[i] !== other[i]) return false;
  return true;
}
