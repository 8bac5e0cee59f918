import { hashKey } from "@vedette/protocol";
import type { DagView, LatestMessage } from "../dag/DagView.js";
import { weightsOf } from "../finality/faultTolerance.js";

/**
 * Whether a latest message is valid and was made by somebody who had stake then; or by nobody, which is the block that
 * bonded the validator. Nothing keeps others from making valid blocks (40 §5.1), but nobody has to build on them.
 *
 * @spec 40 §9.2 (Vedette)
 */
export function isEntitled(dag: DagView, { validator, hash }: LatestMessage): boolean {
  if (dag.isInvalid(hash)) return false;
  const block = dag.require(hash);
  const key = hashKey(validator);
  return block.senderKey !== key || (weightsOf(dag, block).stakes.get(key) ?? 0n) > 0n;
}
