import type { Block } from "@vedette/protocol";
import { type BlockStatus, isSlashable } from "./BlockStatus.js";
import { type Validation, type ValidationContext, validateBlock } from "./validateBlock.js";

/** How blocks are judged, and what follows from it; networks of the two kinds of nodes differ in it. @spec 40 §5, 61 §14 */
export interface BlockChecks {
  /**
   * Judges a block that has a right format and right signatures, with its dependencies in the DAG.
   *
   * Throws only for a failure of this program.
   */
  validate(block: Block, context: ValidationContext): Promise<Validation>;
  /** Whether a valid block beside another one of its creator is recorded as an equivocation; left out: no. */
  readonly recordsSides?: boolean;
  /** Whether the state that an invalid block leads to is never fetched to judge a block on it; left out: no. */
  readonly isLocalAboveInvalid?: boolean;
  /** Whether a status costs the block's creator its stake; such a block is recorded. */
  isSlashable(status: BlockStatus): boolean;
  /** Whether a block of this status is recorded as an equivocation of its creator, too. */
  isEquivocation(status: BlockStatus, block: Block): boolean;
}

/** rnode's. @spec 40 §5.1, §5.9 */
export const referenceChecks: BlockChecks = {
  validate: validateBlock,
  isSlashable,
  isEquivocation: ({ status }) => status === "AdmissibleEquivocation",
};
