import { hashKey } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import { compareSignedBytes } from "../dag/commonAncestor.js";
import type { DagView } from "../dag/DagView.js";
import { Agreement } from "./agreement.js";
import { isMajority, toleranceOf, toleranceOfClique, weightsOf } from "./faultTolerance.js";

interface Step {
  readonly validatorKey: string;
  readonly block: BlockMetadata;
}

/**
 * Looks for a block above the last finalized one that is safe enough.
 *
 * Walks from the latest messages down their main chains, one step of all of them at a time, so that the highest
 * such block is met first.
 *
 * @param threshold fault tolerance that must be exceeded
 * @returns the block, unless none was found or it is finalized already
 * @throws {ChainError} `tooComplex`
 * @spec 40 §8.2
 * @cost validators times the heights between the latest messages and the last finalized block
 */
export function findFinalized(dag: DagView, threshold: number): BlockMetadata | undefined {
  const height = dag.lastFinalized()?.number ?? -1n;
  const candidates = new Map<string, Map<string, bigint>>();
  const limit = Math.fround(threshold);
  for (let layer = firstLayer(dag); layer.length > 0; layer = nextLayer(dag, layer, height)) {
    for (const { validatorKey, block } of layer) {
      const weights = weightsOf(dag, block);
      const stake = weights.stakes.get(validatorKey) ?? 0n;
      if (stake <= 0n) continue;
      let agreeing = candidates.get(block.key);
      if (agreeing === undefined) candidates.set(block.key, (agreeing = new Map()));
      agreeing.set(validatorKey, stake);
      // Quirk 40 §8.2: a block is tested again with each validator that agrees, not once with all of them.
      if (!exceeds(dag, block, agreeing, weights.total, limit)) continue;
      return block.finalized ? undefined : block;
    }
  }
  return undefined;
}

function firstLayer(dag: DagView): Step[] {
  return [...dag.latestMessages()]
    .sort((left, right) => compareSignedBytes(left.validator, right.validator))
    .map(({ validator, hash }) => ({ validatorKey: hashKey(validator), block: dag.require(hash) }));
}

function nextLayer(dag: DagView, layer: readonly Step[], height: bigint): Step[] {
  const next: Step[] = [];
  for (const { validatorKey, block } of layer) {
    const parent = block.mainParent === undefined ? undefined : dag.find(block.mainParent);
    if (parent !== undefined && parent.number > height) next.push({ validatorKey, block: parent });
  }
  return next;
}

function exceeds(
  dag: DagView,
  block: BlockMetadata,
  agreeing: ReadonlyMap<string, bigint>,
  total: bigint,
  limit: number,
): boolean {
  let sum = 0n;
  for (const stake of agreeing.values()) sum += stake;
  if (!isMajority(sum, total)) return false;
  // No clique is heavier than all that agree, and the result grows with the clique.
  if (!(toleranceOfClique(sum, total) > limit)) return false;
  return toleranceOf(new Agreement(dag, block), agreeing, total) > limit;
}
