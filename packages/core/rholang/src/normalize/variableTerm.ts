import { type BitSet, BoundVar, EVar, FreeVar, type Par, parOfExpr, singleBit, wildcard } from "@vedette/terms";

/** How many indices have their terms made in advance; terms are immutable, so that programs share them. */
const sharedCount = 64;

const sharedBits = Array.from({ length: sharedCount }, (_, index) => singleBit(index));
const sharedBound = Array.from({ length: sharedCount }, (_, index) => new EVar(new BoundVar(index)));
const sharedFree = Array.from({ length: sharedCount }, (_, level) => new EVar(new FreeVar(level)));
const sharedBoundPars = sharedBound.map((expr, _index) => parOfExpr(expr));
const sharedFreePars = sharedFree.map((expr) => parOfExpr(expr));

/** `_` as an expression; shared. */
export const wildcardExpr = new EVar(wildcard);

/** `_` as a process of its own. @spec 20 §7.4, §7.5 */
export const wildcardPar = parOfExpr(wildcardExpr);

/** The set of one de Bruijn index. */
export function indexBit(index: number): BitSet {
  return sharedBits[index] ?? singleBit(index);
}

/** A bound variable as an expression. */
export function boundExpr(index: number): EVar {
  return sharedBound[index] ?? new EVar(new BoundVar(index));
}

/** A free variable as an expression. */
export function freeExpr(level: number): EVar {
  return sharedFree[level] ?? new EVar(new FreeVar(level));
}

/** A bound variable that counts as free outside: any name variable, a process variable at depth 0. @spec 20 §6.2 */
export function boundPar(index: number): Par {
  return sharedBoundPars[index] ?? parOfExpr(boundExpr(index));
}

/** A free variable as a process of its own. */
export function freePar(level: number): Par {
  return sharedFreePars[level] ?? parOfExpr(freeExpr(level));
}
