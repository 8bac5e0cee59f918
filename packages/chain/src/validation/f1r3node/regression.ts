import { type Block, hashKey } from "@vedette/protocol";
import type { DagView } from "../../dag/DagView.js";
import type { InvalidStatus } from "../BlockStatus.js";
import { creatorJustificationOf } from "../sequenceNumber.js";

/**
 * Nobody, the creator neither, is justified by an older block than in the creator's own block before.
 *
 * Ours: that is the one which the block names, also where the creator's latest message is another one. Such a block is an
 * equivocation in any case, and what lies above it is judged alike, whichever of the two came first.
 *
 * @spec 61 §14.2 (regression), §15.5
 * @throws {ChainError} `blockMissing`
 */
export function checkRegression(block: Block, dag: DagView): InvalidStatus | undefined {
  const before = creatorJustificationOf(block) ?? dag.latestMessage(hashKey(block.sender));
  if (before === undefined) return undefined;
  const current = dag.require(before);
  for (const { validator, latestBlockHash: hash } of block.justifications) {
    const previous = current.justificationOf(hashKey(validator));
    if (previous === undefined) continue;
    const [now, known] = [dag.require(hash), dag.require(previous)];
    if (!now.invalid && now.sequenceNumber < known.sequenceNumber)
      return { status: "JustificationRegression", validator, hash, previous };
  }
  return undefined;
}
