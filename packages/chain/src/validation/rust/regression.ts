import { type Block, hashKey } from "@vedette/protocol";
import type { DagView } from "../../dag/DagView.js";
import type { InvalidStatus } from "../BlockStatus.js";

/**
 * Nobody, the creator neither, is justified by an older block than in the creator's latest message.
 *
 * @spec 61 §14.2 (regression)
 * @throws {ChainError} `blockMissing`
 */
export function checkRegression(block: Block, dag: DagView): InvalidStatus | undefined {
  const latest = dag.latestMessage(hashKey(block.sender));
  if (latest === undefined) return undefined;
  const current = dag.require(latest);
  for (const { validator, latestBlockHash: hash } of block.justifications) {
    const previous = current.justificationOf(hashKey(validator));
    if (previous === undefined) continue;
    const [now, before] = [dag.require(hash), dag.require(previous)];
    if (!now.invalid && now.sequenceNumber < before.sequenceNumber)
      return { status: "JustificationRegression", validator, hash, previous };
  }
  return undefined;
}
