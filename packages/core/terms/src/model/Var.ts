/** A variable or wildcard of the normalized term. @spec 20 §5 (message Var) */
export type Var = BoundVar | FreeVar | Wildcard | EmptyVar;

/** De Bruijn index: 0 is the binding made last. */
export class BoundVar {
  readonly kind = "BoundVar";
  constructor(readonly index: number) {}
}

/** Level in its pattern: 0 is the first variable. */
export class FreeVar {
  readonly kind = "FreeVar";
  constructor(readonly index: number) {}
}

/** `_`. */
export class Wildcard {
  readonly kind = "Wildcard";
}

/** A Var with an unset oneof; only bytes from outside can hold it. */
export class EmptyVar {
  readonly kind = "EmptyVar";
}

/** The one wildcard. */
export const wildcard = new Wildcard();
/** The one empty variable. */
export const emptyVar = new EmptyVar();
/** Represents a variable that the bytes do not have, where they distinguish it from an empty one. @spec 61 §2 */
export const absentVar = new EmptyVar();

const boundVars: BoundVar[] = [];
const freeVars: FreeVar[] = [];
const sharedVars = 64;

/** The bound variable of this index; small ones are shared. */
export function boundVar(index: number): BoundVar {
  if (index < 0 || index >= sharedVars) return new BoundVar(index);
  return (boundVars[index] ??= new BoundVar(index));
}

/** The free variable of this level; small ones are shared. */
export function freeVar(level: number): FreeVar {
  if (level < 0 || level >= sharedVars) return new FreeVar(level);
  return (freeVars[level] ??= new FreeVar(level));
}
