import { hashKey } from "@vedette/protocol";
import type { DagView, LatestMessage } from "../dag/DagView.js";
import { weightsOf } from "../finality/faultTolerance.js";

/**
 * Whether new blocks may build on a latest message. It must be valid and its validator must be no known offender. The
 * validator had stake in it, or it is the block that bonded the validator.
 *
 * Keys without stake can make valid blocks (40 §5.1), but no validator has to build on them.
 *
 * @spec 40 §9.2 (Vedette), §16.5
 */
export function isEntitled(dag: DagView, { validator, hash }: LatestMessage): boolean {
  const key = hashKey(validator);
  if (dag.isInvalid(hash) || dag.hasSlashingEvidence(key)) return false;
  const block = dag.require(hash);
  return block.senderKey !== key || (weightsOf(dag, block).stakes.get(key) ?? 0n) > 0n;
}
