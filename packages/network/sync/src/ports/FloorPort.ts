import type { DerivedFloor, F1r3nodeCheck } from "@vedette/chain";
import type { ApprovedBlock, Block, FloorSeed } from "@vedette/protocol";
import type { ImportedBlock } from "./ChainPort.js";

/** The floor facts that were derived for blocks, on f1r3node networks. @spec 61 §13.3, §16.2, §16.4 */
export interface FloorPort {
  find(hash: Uint8Array): DerivedFloor | undefined;
  /** The final block that a joiner is to begin with; `undefined` before there is a chain. */
  anchor(): Uint8Array | undefined;
  /**
   * Returns the floors that a joiner receives with a block of the DAG; `undefined` if they cannot be derived, as for
   * genesis.
   */
  seedOf(hash: Uint8Array): Promise<FloorSeed | undefined>;
  /**
   * Compares a peer's floors with the blocks themselves.
   *
   * @param blocks stored already, the highest first, without the approved one
   * @param given  by `hashKey` of the block
   */
  check(
    approved: ApprovedBlock,
    blocks: readonly ImportedBlock[],
    given: ReadonlyMap<string, DerivedFloor>,
  ): Promise<F1r3nodeCheck>;
}

/** The changes that the deploys of blocks made to number channels, on f1r3node networks. @spec 61 §12.2, §16.2 */
export interface NumberEntryPort {
  /** As it is given to other nodes; `undefined` where the block was not executed here. */
  find(block: Block): Promise<Uint8Array | undefined>;
  /** Stores a peer's entry, if it fits the block's stored states. @returns its fault */
  take(block: Block, entry: Uint8Array): Promise<string | undefined>;
  /** Executes a block with a stored pre-state. @returns why there is still no entry; `undefined` on success */
  make(block: Block): Promise<string | undefined>;
}
