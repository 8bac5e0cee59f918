import { type BlockTelling, type DagView, visibleInvalidBlocks } from "@vedette/chain";
import { decodeBlock, rnodeScala } from "@vedette/protocol";
import type { BlockCall } from "@vedette/workers";

/** Where a block stands that readers are to replay. */
export interface CallSources {
  readonly dag: DagView;
  /** Of the chain; left out: the reference node's. */
  readonly telling?: BlockTelling | undefined;
}

/** A block as readers want it. @param bytes the block message @spec 40 §5.5, 61 §10 */
export function blockCallOf(bytes: Uint8Array, { dag, telling = scalaTelling }: CallSources): BlockCall {
  // Nearly every chain has none, and then the block need not be read.
  if (dag.invalidBlocks().length === 0) return { block: bytes, invalidBlocks: [] };
  const block = decodeBlock(bytes, undefined, telling.form);
  const told = telling.invalidBlocksFor(block, dag);
  return { block: bytes, invalidBlocks: told.map(({ hash, sender }) => ({ blockHash: hash, sender })) };
}

const scalaTelling: BlockTelling = {
  form: rnodeScala.blockForm,
  invalidBlocksFor: (block, dag) => visibleInvalidBlocks(block, dag),
};
