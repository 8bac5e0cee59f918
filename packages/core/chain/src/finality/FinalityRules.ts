import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";

/** How what is final is found; networks of the two kinds of nodes differ in it. @spec 40 §8, 61 §13 */
export interface FinalityRules {
  /**
   * The block that is final now and was not before, if there is one; its ancestors are final with it.
   *
   * @throws {ChainError} `tooComplex` and others: then nothing becomes final for now
   */
  findFinalized(dag: DagView): BlockMetadata | undefined;
}
