import { compareSignedBytes } from "@vedette/crypto";
import { hashKey } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { FinalityRules } from "./FinalityRules.js";
import { type LatestVote, MainChains } from "./MainChains.js";
import { SafetyTest } from "./SafetyTest.js";
import { Votes } from "./Votes.js";
import type { VotingView } from "./VotingView.js";

/** Blocks that are walked from a latest message before anything is tested, besides some for each validator. */
const stepsAtOnce = 64;

/**
 * Looks for a block above the last finalized one that is safe enough.
 *
 * rnode walks from the latest messages down their main chains, one step of all of them at a time, and tests a block with
 * each validator that it finds to agree. The first block that passes is the result. Here blocks are tested with all
 * validators that agree; only where several pass, the steps decide.
 *
 * @param threshold   fault tolerance that must be exceeded
 * @param isFinalized left out: as the DAG has it
 * @returns the block, unless none was found or it is finalized already
 * @throws {ChainError} `tooComplex`
 * @spec 40 §8.2
 * @cost the blocks above the result, and few times the pairs of validators
 */
export function findFinalized(dag: VotingView, threshold: number, isFinalized = hasFlag): BlockMetadata | undefined {
  const height = dag.lastFinalized()?.number ?? -1n;
  const layer = firstLayer(dag, isFinalized);
  const votes = new Votes(dag);
  // There may be thousands of blocks above the height, and most often the result lies some rounds below the tips.
  for (let maxSteps = stepsAtOnce + 4 * layer.length; ; maxSteps *= 2) {
    const chains = new MainChains(dag, layer, (_, { number }) => number > height, maxSteps);
    const test = new SafetyTest(votes, chains, Math.fround(threshold));
    const passing = test.passing();
    const isOnly = passing.length === 1 && !chains.isCut;
    const first = isOnly ? undefined : test.firstOf(passing);
    // A candidate that passes in few steps comes before all that need more.
    if (chains.isCut && (first === undefined || chains.stepsOf(first) > maxSteps)) continue;
    const found = isOnly ? passing[0] : first?.candidate;
    return found === undefined || isFinalized(found.block) ? undefined : found.block;
  }
}

function hasFlag({ finalized }: BlockMetadata): boolean {
  return finalized;
}

/** rnode's rule. @spec 40 §8.2 */
export function cliqueFinality(threshold: number): FinalityRules {
  return { findFinalized: (dag) => findFinalized(dag, threshold) };
}

/**
 * Ours: the final latest message of a validator without stake does not count for blocks above it. In rnode it ends the
 * search in every round if that stake alone was enough. Then no block becomes final after the validator with most of
 * the stake has left.
 */
function firstLayer(dag: VotingView, isFinalized: typeof hasFlag): LatestVote[] {
  const layer = [...dag.latestMessages()]
    .sort((left, right) => compareSignedBytes(left.validator, right.validator))
    .map(({ validator, hash }) => ({ validatorKey: hashKey(validator), block: dag.require(hash) }))
    .filter(({ validatorKey }) => !dag.hasSlashingEvidence(validatorKey));
  const lastFinalized = dag.lastFinalized();
  if (lastFinalized === undefined) return layer;
  // The last final block may be the last one in which that stake is bonded.
  const bondsNow = [lastFinalized, highestOpen(layer, isFinalized) ?? lastFinalized].map(({ bonds }) => bonds.stakes);
  const hasLeft = (key: string) => bondsNow.some((stakes) => (stakes.get(key) ?? 0n) <= 0n);
  return layer.filter(({ validatorKey, block }) => !(isFinalized(block) && hasLeft(validatorKey)));
}

function highestOpen(layer: readonly LatestVote[], isFinalized: typeof hasFlag): BlockMetadata | undefined {
  let highest: BlockMetadata | undefined;
  for (const { block } of layer)
    if (!isFinalized(block) && !block.invalid && (highest === undefined || block.number > highest.number))
      highest = block;
  return highest;
}
