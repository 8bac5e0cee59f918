import type { Block } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";
import type { InvalidBlockFacts } from "../validation/BlockExecution.js";
import type { InvalidStatus } from "../validation/BlockStatus.js";

/** Who may be slashed for what, by whom. @spec 61 §15 */
export interface SlashRules {
  /** The first slash of a block to which its creator has no right. */
  checkAuthorization(block: Block, parents: readonly BlockMetadata[], dag: DagView): InvalidStatus | undefined;
  /** An invalid block that a block names, and does not slash for though it must. */
  checkNeglected(block: Block, dag: DagView): InvalidStatus | undefined;
  /** What the programs of a block are told of invalid blocks. */
  invalidBlocksFor(block: Block, dag: DagView): readonly InvalidBlockFacts[];
}
