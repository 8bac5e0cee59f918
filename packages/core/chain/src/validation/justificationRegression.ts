import { type Block, hashKey } from "@vedette/protocol";
import type { DagView } from "../dag/DagView.js";
import type { InvalidStatus } from "./BlockStatus.js";

/** Check 12: no other validator is justified by an older block than in the creator's latest message. @spec 40 §5.4 */
export function checkJustificationRegression(block: Block, dag: DagView): InvalidStatus | undefined {
  const senderKey = hashKey(block.sender);
  const latest = dag.latestMessage(senderKey);
  if (latest === undefined) return undefined;
  const current = dag.require(latest);
  for (const { validator, latestBlockHash: hash } of block.justifications) {
    const key = hashKey(validator);
    const previous = current.justificationOf(key);
    if (key === senderKey || previous === undefined || dag.isInvalid(hash)) continue;
    if (dag.require(hash).sequenceNumber < dag.require(previous).sequenceNumber) {
      return { status: "JustificationRegression", validator, hash, previous };
    }
  }
  return undefined;
}
