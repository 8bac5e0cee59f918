import type { Reducer } from "./Reducer.js";

/**
 * A piece of an evaluation that waits its turn on the reducer's stack.
 *
 * - `branch`: it begins with a charge, or leads to nothing but such pieces.
 * - `call`: a built-in process, which may abort the evaluation without a charge.
 * - `scope`: it judges the errors of what lies above it.
 *
 * @spec 21 §1.7
 */
export interface Work {
  readonly kind: "branch" | "call" | "scope";
  run(reducer: Reducer): void;
}
