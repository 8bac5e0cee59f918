import type { Place, RustReducer } from "./RustReducer.js";

/**
 * A piece of an evaluation that waits its turn on the reducer's stack.
 *
 * @spec 21 §1.7, 61 §6.1
 */
export interface RustWork {
  /** Where what goes wrong in it is kept. */
  readonly place: Place;
  run(reducer: RustReducer): void;
}
