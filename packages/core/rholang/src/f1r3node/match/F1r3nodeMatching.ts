import type { Par, Var } from "@vedette/terms";

/** The elements of a list that may be left over, and the variable that takes them. */
export interface F1r3nodeLeftover<T> {
  readonly level: number | undefined;
  readonly wildcard: boolean;
  /** Puts what is left over in what the variable has so far. */
  readonly merge: (value: Par, left: readonly T[]) => Par;
}

/**
 * The operations of a match that the rules of the elements need.
 *
 * @spec 61 §6
 */
export interface F1r3nodeMatching {
  par(target: Par, pattern: Par): boolean;
  /** @returns the part that the remainder takes; `undefined` for no match */
  fold(targets: readonly Par[], patterns: readonly Par[], remainder: Var | undefined): readonly Par[] | undefined;
  /** Binds the remainder variable of a list in order, if it has one. */
  setRemainder(remainder: Var | undefined, left: readonly Par[]): void;
  /** Matches the elements of two lists in any order. */
  list<T>(kind: F1r3nodeKind<T>, targets: readonly T[], patterns: readonly T[], leftover: F1r3nodeLeftover<T>): boolean;
}

/** How elements of one kind are matched. @spec 22 §1.3, §1.9, 61 §6 */
export interface F1r3nodeKind<T> {
  /** The pattern can be compared with a target as it is. */
  readonly isConcrete: (pattern: T) => boolean;
  /** Nothing that is bound around the target is mentioned in it. */
  readonly isClosed: (target: T) => boolean;
  readonly equal: (left: T, right: T) => boolean;
  /** The same for equal elements; left out where lists are short. */
  readonly hashOf?: (element: T) => number;
  /** Order by the fields. */
  readonly compare: (left: T, right: T) => number;
  readonly match: (matching: F1r3nodeMatching, target: T, pattern: T) => boolean;
}
