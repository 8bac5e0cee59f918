import { type BlockReporting, ChainError, type DagView, visibleInvalidBlocks } from "@vedette/chain";
import type { BlockCall } from "@vedette/executor";
import { type Block, decodeBlock, rnode } from "@vedette/protocol";

/** Where a block stands that readers are to replay. */
export interface CallSources {
  readonly dag: DagView;
  /** Of the chain; left out: rnode's. */
  readonly telling?: BlockReporting | undefined;
}

/** A block as readers want it. @param bytes the block message @spec 40 §5.5, 61 §10 */
export function blockCallOf(bytes: Uint8Array, { dag, telling = rnodeReporting }: CallSources): BlockCall {
  const begunAt = laterBeginning(dag);
  // Nearly every chain has none of both, and then the block need not be read.
  if (dag.invalidBlocks().length === 0 && !dag.lacksStates) return { block: bytes, invalidBlocks: [], begunAt };
  const block = decodeBlock(bytes, telling.form);
  const told = dag.invalidBlocks().length === 0 ? [] : invalidBlocksFor(block, dag, telling);
  return {
    block: bytes,
    invalidBlocks: told.map(({ hash, sender }) => ({ blockHash: hash, sender })),
    // It is as one of below the beginning.
    begunAt: dag.lacksState(block.hash) ? block.number : begunAt,
  };
}

/** Of who began with a state: what lies at that height or below it was not executed here, and never will be. */
function laterBeginning(dag: DagView): bigint | undefined {
  const first = dag.approvedBlock();
  return first === undefined || first.number === 0n ? undefined : first.number;
}

function invalidBlocksFor(block: Block, dag: DagView, telling: BlockReporting) {
  try {
    return telling.invalidBlocksFor(block, dag);
  } catch (error) {
    // Of the lowest blocks of who joined by state the parents are not here, so that the state is not either; what was
    // noted of them is told, and a replay with another map than the creator's is refused.
    if (error instanceof ChainError && error.failure.code === "blockMissing") return [];
    throw error;
  }
}

const rnodeReporting: BlockReporting = {
  form: rnode.blockForm,
  invalidBlocksFor: (block, dag) => visibleInvalidBlocks(block, dag),
};
