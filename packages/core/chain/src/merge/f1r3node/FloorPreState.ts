import type { FloorState } from "../../validation/f1r3node/FloorExecution.js";

/** What a block begins with: all that it states of it is compared. @spec 61 §12 */
export interface FloorPreState extends FloorState {
  /** The block on whose post-state it is made; none where that goes without saying. */
  readonly mergeBase: Uint8Array | undefined;
}
