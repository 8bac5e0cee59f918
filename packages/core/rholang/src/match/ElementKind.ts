import type { MatchState } from "./MatchState.js";

/** The operations on a list's elements that the list matcher needs. @spec 22 §1.3, §1.7, §1.9 */
export interface ElementKind<T> {
  /** The pattern holds nothing that could vary: equality decides. */
  isConcrete(pattern: T): boolean;
  /** The target mentions no variable bound around it, so that it may be captured. */
  isClosed(target: T): boolean;
  equal(one: T, other: T): boolean;
  /** The same for equal elements; left out where lists are short. */
  readonly hashOf?: (element: T) => number;
  /** Matches a pattern without alternatives; captures stay in the state, also those of a failed attempt. */
  match(target: T, pattern: T, state: MatchState): boolean;
}

/** The continuation after a match; returns false to request the next alternative of the match. @spec 22 §1.1 */
export type MatchContinuation = () => boolean;

/** The same for elements with a match that may have several alternatives. @spec 22 §1.9 */
export interface BranchingKind<T> extends ElementKind<T> {
  /** A match may have several alternatives; otherwise {@link ElementKind.match} is used. */
  branches(pattern: T): boolean;
  /** Calls `next` for one alternative after the other until it gives true; else leaves the state as it was. */
  matchEach(target: T, pattern: T, state: MatchState, next: MatchContinuation): boolean;
}
