import type { Block } from "@vedette/protocol";
import type { WritableTables } from "@vedette/store";

/** A block that has all its dependencies in the DAG. */
export interface ReadyBlock {
  readonly block: Block;
  /** Whether another block waits for this one. @spec 40 §5.8 */
  readonly isAwaited: boolean;
  /** Whether a block of a validator with stake refers to it. Default: {@link isAwaited}. @spec 40 §5.9 */
  readonly isNeeded?: boolean;
  /**
   * Called within the transaction that puts the block into the DAG, and undoes the other writes of the transaction if
   * it throws.
   */
  readonly recorded?: (tables: WritableTables) => void;
}
