import type { F1r3nodeState } from "../../validation/f1r3node/F1r3nodeBlockExecution.js";

/** The state that a block begins with: all that the block states of it is compared. @spec 61 §12 */
export interface FloorPreState extends F1r3nodeState {
  /** The block on the post-state of which it is made; `undefined` if it is implied. */
  readonly mergeBase: Uint8Array | undefined;
}
