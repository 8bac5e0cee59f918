import type { Reducer } from "./Reducer.js";

/**
 * A piece of an evaluation that waits its turn on the reducer's stack.
 *
 * @spec 21 §1.7
 */
export interface Work {
  /** Whether errors of what lies above it are for it to judge, not for the whole evaluation. */
  readonly isScope: boolean;
  run(reducer: Reducer): void;
}
