import type { BlockMetadata } from "./BlockMetadata.js";
import type { DagView } from "./DagView.js";

/**
 * Chooses the latest message of a validator that has made none, once a block bonds it.
 *
 * @param bonding the block with bonds that include the validator; it may not be in the DAG yet
 * @returns its hash
 * @spec 40 §6.3, 61 §14.5
 */
export type InitialLatestMessage = (dag: Pick<DagView, "blocksByHeight">, bonding: BlockMetadata) => Uint8Array;

/** rnode's: the block itself. @spec 40 §6.3 */
export const bondingFirst: InitialLatestMessage = (_, bonding) => bonding.hash;

/**
 * f1r3node's: genesis, so that the first sequence number is 1. A node that does not hold it takes the block.
 *
 * @spec 61 §14.5
 */
export const genesisFirst: InitialLatestMessage = (dag, bonding) => {
  for (const { hash } of dag.blocksByHeight(0n, 0n, 1)) return hash;
  return bonding.hash;
};
