import { hashKey } from "@vedette/protocol";
import type { DagView, LatestMessage } from "../dag/DagView.js";
import { weightsOf } from "../finality/faultTolerance.js";

/**
 * Whether a latest message is valid and was made by somebody who had stake then and is no known offender; or by nobody, which is the block that
 * bonded the validator. Nothing keeps others from making valid blocks (40 §5.1), but nobody has to build on them.
 *
 * @spec 40 §9.2 (Vedette), §16.5
 */
export function isEntitled(dag: DagView, { validator, hash }: LatestMessage): boolean {
  const key = hashKey(validator);
  if (dag.isInvalid(hash) || dag.hasSlashingEvidence(key)) return false;
  const block = dag.require(hash);
  return block.senderKey !== key || (weightsOf(dag, block).stakes.get(key) ?? 0n) > 0n;
}
