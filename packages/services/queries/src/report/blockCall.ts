import { type BlockReporting, ChainError, type DagView } from "@vedette/chain";
import type { BlockCall } from "@vedette/executor";
import { type Block, decodeBlock } from "@vedette/protocol";

/** The sources of blocks that readers replay. */
export interface CallSources {
  readonly dag: DagView;
  /** The chain's reporting. */
  readonly reporting: BlockReporting;
}

/** A block as readers want it. @param bytes the block message @spec 40 §5.5, 61 §10 */
export function blockCallOf(bytes: Uint8Array, { dag, reporting }: CallSources): BlockCall {
  const begunAt = laterBeginning(dag);
  // Nearly every chain has none of both, and then the block need not be read.
  if (dag.invalidBlocks().length === 0 && !dag.lacksStates) return { block: bytes, invalidBlocks: [], begunAt };
  const block = decodeBlock(bytes, reporting.form);
  const invalid = dag.invalidBlocks().length === 0 ? [] : invalidBlocksFor(block, dag, reporting);
  return {
    block: bytes,
    invalidBlocks: invalid.map(({ hash, sender }) => ({ blockHash: hash, sender })),
    // It is as one of below the beginning.
    begunAt: dag.lacksState(block.hash) ? block.number : begunAt,
  };
}

/** The height at which a node began with a state: blocks at it or below were not executed here, and never will be. */
function laterBeginning(dag: DagView): bigint | undefined {
  const first = dag.approvedBlock();
  return first === undefined || first.number === 0n ? undefined : first.number;
}

function invalidBlocksFor(block: Block, dag: DagView, reporting: BlockReporting) {
  try {
    return reporting.invalidBlocksFor(block, dag);
  } catch (error) {
    // On a node that joined by state, the parents of the lowest blocks are absent, and so are their states. What was
    // noted of such a block is returned; a replay with another map than the creator's is refused.
    if (error instanceof ChainError && error.failure.code === "blockMissing") return [];
    throw error;
  }
}
