import { equalBytes } from "@vedette/crypto";
import { type Block, hashKey } from "@vedette/protocol";
import type { DagView } from "../dag/DagView.js";
import type { InvalidStatus } from "./BlockStatus.js";
import { creatorJustificationOf } from "./sequenceNumber.js";

/**
 * Check 18: the creator's own block before this one is its latest message.
 *
 * @param isAwaited whether another block waits for this one; then it must be recorded
 * @spec 40 §5.8
 */
export function checkSimpleEquivocation(block: Block, dag: DagView, isAwaited: boolean): InvalidStatus | undefined {
  const creatorJustification = creatorJustificationOf(block);
  const latestMessage = dag.latestMessage(hashKey(block.sender));
  const same =
    creatorJustification === undefined || latestMessage === undefined
      ? creatorJustification === latestMessage
      : equalBytes(creatorJustification, latestMessage);
  if (same) return undefined;
  if (isAwaited) return { status: "AdmissibleEquivocation" };
  return { status: "IgnorableEquivocation", creatorJustification, latestMessage };
}
