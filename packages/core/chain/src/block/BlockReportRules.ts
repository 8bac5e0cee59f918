import type { Block, BlockCodec } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";
import type { InvalidBlockFacts } from "../validation/BlockExecution.js";

/** How the blocks of a chain are read and executed again for reports of their effects. */
export interface BlockReporting {
  readonly form: BlockCodec;
  /** The invalid blocks that a block's programs can read. @spec 40 §5.5, 61 §10 */
  invalidBlocksFor(block: Block, dag: DagView): readonly InvalidBlockFacts[];
  /** How sure it is that a block stays, as it is shown; left out: as rnode does. @spec 50 §1.7, 61 §13.5 */
  faultToleranceOf?(block: BlockMetadata, dag: DagView): number;
}
