import { equalBytes } from "@vedette/crypto";
import type { Block } from "@vedette/protocol";
import type { DagView } from "../dag/DagView.js";
import type { InvalidStatus } from "./BlockStatus.js";

/** The block that a creator justifies for its own key; a new creator has none, or names another's. @spec 40 §1.5, §5.4 */
export function creatorJustificationOf(block: Block): Uint8Array | undefined {
  return block.justifications.find(({ validator }) => equalBytes(validator, block.sender))?.latestBlockHash;
}

/**
 * Check 11: the sequence number (`seqNum` of the message) is one more than that of the block that the creator justifies
 * for its own key.
 *
 * @spec 40 §1.5, §5.4
 */
export function checkSequenceNumber(block: Block, dag: DagView): InvalidStatus | undefined {
  const before = creatorJustificationOf(block);
  const previous = before === undefined ? -1 : dag.require(before).sequenceNumber;
  if (block.sequenceNumber === previous + 1) return undefined;
  return { status: "InvalidSequenceNumber", sequenceNumber: block.sequenceNumber, previous };
}
