/**
 * Evidence that a block is final: the block, its main parent, and blocks that validators built on it.
 *
 * @spec 70 §4
 */
export interface LightUpdate {
  /** Hash of the block that is to be trusted. */
  readonly target: Uint8Array;
  /** BlockMessageProto each, in any order; justifications only where the hash covers them. */
  readonly blocks: readonly Uint8Array[];
}

/** Bounds of an update from any server. @spec 70 §4 */
export const maxUpdateBlocks = 1_024;
/** @see maxUpdateBlocks */
export const maxUpdateBytes = 32 << 20;
