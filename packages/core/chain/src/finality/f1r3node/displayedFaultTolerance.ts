import type { BlockMetadata } from "../../dag/BlockMetadata.js";
import type { DagView } from "../../dag/DagView.js";
import { faultTolerance } from "../faultTolerance.js";
import { faultToleranceScale } from "./neededClique.js";

/**
 * How sure it is that a block stays, as it is shown: 0 as long as it is not final.
 *
 * f1r3node keeps what it worked out when the block became final, which depends on the order in which blocks came.
 * Here it is worked out anew, and is never less than what makes a block final.
 *
 * @param tolerance from which a block is final, in parts of a million
 * @throws {ChainError} `tooComplex`
 * @spec 61 §13.5
 */
export function displayedFaultTolerance(block: BlockMetadata, dag: DagView, tolerance: bigint): number {
  if (!block.finalized) return 0;
  if (block.mainParent === undefined) return 1;
  return Math.max(Math.fround(Number(tolerance) / Number(faultToleranceScale)), faultTolerance(dag, block.hash));
}
