import { hashKey } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView, LatestMessage } from "../dag/DagView.js";
import { weightsOf } from "../finality/faultTolerance.js";

/**
 * The stake behind each block: every validator supports its latest message and all below it.
 *
 * A block that only validators without stake support has the score 0, which is not the same as none.
 *
 * @spec 40 §7.2 (step 2)
 * @cost validators times the blocks above the common ancestor
 */
export function scoresOf(
  dag: DagView,
  latestMessages: readonly LatestMessage[],
  ancestor: BlockMetadata,
): ReadonlyMap<string, bigint> {
  const scores = new Map<string, bigint>();
  for (const { validator, hash } of latestMessages) {
    addSupport(dag, scores, { validatorKey: hashKey(validator), latest: dag.require(hash), lowest: ancestor.number });
  }
  return scores;
}

interface Support {
  readonly validatorKey: string;
  readonly latest: BlockMetadata;
  readonly lowest: bigint;
}

function addSupport(dag: DagView, scores: Map<string, bigint>, { validatorKey, latest, lowest }: Support): void {
  const seen = new Set<string>([latest.key]);
  const waiting: BlockMetadata[] = [latest];
  for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
    const weight = weightsOf(dag, block).stakes.get(validatorKey) ?? 0n;
    scores.set(block.key, (scores.get(block.key) ?? 0n) + weight);
    if (block.number < lowest) continue;
    for (const hash of block.parents) {
      const parent = dag.find(hash);
      if (parent === undefined || seen.has(parent.key)) continue;
      seen.add(parent.key);
      waiting.push(parent);
    }
  }
}
