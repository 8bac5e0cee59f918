import type { Block } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";
import type { InvalidBlockFacts } from "../validation/BlockExecution.js";
import type { InvalidStatus } from "../validation/BlockStatus.js";

/** The slash of a new block. @spec 61 §15.3 */
export interface ChosenSlash {
  readonly invalidBlock: Uint8Array;
  readonly targetActivationEpoch: bigint;
}

/** The inputs of a proposer's choice of slashes. */
export interface SlashChoice {
  /** The new block's. */
  readonly number: bigint;
  readonly sender: Uint8Array;
  /** Each validator's highest stake among the parents. */
  readonly stakes: ReadonlyMap<string, bigint>;
  /** Invalid blocks of slashes that the block's own merge rejects. */
  readonly rejected: readonly Uint8Array[];
  /** Whether the other validators take a slash for this invalid block; left out: for any. @spec 61 §15.5 */
  readonly isAgreed?: ((invalidBlock: Uint8Array) => boolean) | undefined;
  /** Equivocators that are slashed for one of their blocks even where all of these are valid here; left out: none. */
  readonly suspects?: readonly Uint8Array[];
}

/** Which validators may be slashed, for what, and by which. @spec 61 §15 */
export interface SlashRules {
  /**
   * The first slash of a block to which its creator has no right.
   *
   * @param isTimeless whether a slash may be for a block that is valid here, as another node received other blocks before
   */
  checkAuthorization(
    block: Block,
    parents: readonly BlockMetadata[],
    dag: DagView,
    isTimeless?: boolean,
  ): InvalidStatus | undefined;
  /** An invalid block that a block names, and does not slash for though it must. */
  checkNeglected(block: Block, dag: DagView): InvalidStatus | undefined;
  /** The invalid blocks that a block's programs can read. */
  invalidBlocksFor(block: Block, dag: DagView): readonly InvalidBlockFacts[];
  /** The slashes of a new block. @spec 61 §15.3 */
  choose(dag: DagView, choice: SlashChoice): readonly ChosenSlash[];
}
