import { GossipingNetwork, type NodeMake } from "@vedette/chain/testing";
import { SeededRandom } from "../random/SeededRandom.js";

/** The outcomes of the deploys of a network of both makes. */
export interface LossOutcome {
  readonly blocks: number;
  readonly deploys: number;
  /** Deploys that no state has and no block can bring again. */
  readonly lost: number;
  /** Deploys that came into the final state more than once. */
  readonly repeated: number;
  /** Judgements of honest blocks that were not *Valid*. */
  readonly refusals: number;
  /** Blocks with the parents and justifications of another one, and another main parent. */
  readonly confusable: number;
  readonly finalHeight: number;
}

const steps = 200;
/** Steps after which other validators are cut off, and blocks arrive faster or slower. */
const phase = 20;
const roundsAfter = 6;

/**
 * Runs a network of honest validators of which some are cut off for a while, again and again: the seed decides which
 * validator makes a block, and when blocks arrive. Then all receive all blocks, and go on in turn.
 *
 * @param makeOf the make of each validator by its place
 * @spec 61 §12.3, §13.7
 */
export async function simulateLosses(seed: number, makeOf: (index: number) => NodeMake): Promise<LossOutcome> {
  const random = new SeededRandom(seed, "losses");
  const count = random.from(3, 6);
  const network = new GossipingNetwork(Array.from({ length: count }, (_, index) => makeOf(index)));
  const contested = random.pick([0.1, 0.3, 0.6]);
  let deploys = 0;
  let isCut: boolean[] = [];
  let share = 0;
  for (let step = 0; step < steps; step += 1) {
    if (step % phase === 0) {
      isCut = network.nodes.map(() => random.chance(0.33));
      share = random.pick([0.5, 0.66, 0.75, 0.8]);
    }
    const index = random.below(count);
    if (random.chance(share)) {
      if (!isCut[index]) await network.deliver(index, (waiting) => random.below(Math.min(3, waiting)));
      continue;
    }
    if (random.chance(0.5)) {
      const alsoAt = random.chance(0.2) ? [random.below(count)] : [];
      network.deploy([index, ...alsoAt], random.chance(contested));
      deploys += 1;
    }
    await network.make(index);
  }
  await network.settle(roundsAfter);
  const { made, lost, repeated, refusals, confusable } = network;
  const finalHeight = Math.min(...network.nodes.map(({ lastFinalized }) => Number(lastFinalized.number)));
  return { blocks: made.length, deploys, lost: lost.length, repeated, refusals, confusable, finalHeight };
}
