import type { FloorState } from "../../validation/f1r3node/FloorExecution.js";

/** The state that a block begins with: all that the block states of it is compared. @spec 61 §12 */
export interface FloorPreState extends FloorState {
  /** The block on the post-state of which it is made; `undefined` if it is implied. */
  readonly mergeBase: Uint8Array | undefined;
}
