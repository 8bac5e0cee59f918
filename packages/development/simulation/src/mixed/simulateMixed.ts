import { EndlessJudgingError, MixedNetwork, type NodeMake } from "@vedette/chain/testing";
import type { Block } from "@vedette/protocol";
import { SeededRandom } from "../random/SeededRandom.js";

/**
 * How f1r3node nodes validate the two blocks: at the same time, so that both are valid; in one order for all nodes,
 * before a block builds on either; or in another order on each node.
 */
type Judging = "raced" | "ordered" | "anyhow";

/** The result of running a network of both makes with a validator that made two blocks at once. */
export interface MixedOutcome {
  readonly makes: readonly NodeMake[];
  readonly judging: Judging;
  /** Number of blocks that honest validators made. */
  readonly blocks: number;
  /** Heights that became final after the two blocks, on the node that is furthest behind. */
  readonly finals: number;
  /** How often honest nodes judged a block. */
  readonly judgements: number;
  /** The honest validators that f1r3node nodes slashed, where they judge the two blocks in any order (61 §15.6). */
  readonly wronged: readonly string[];
  /** The faults; empty if all checks passed. */
  readonly wrong: readonly string[];
}

const roundsAfter = 4;
/** Steps in which a node receives or makes a block, in an order that the seed decides. */
const steps = 40;
const minFinals = 4;

/**
 * Runs a network of validators of both makes with one more, which makes two blocks at the same moment. The seed decides
 * which node receives or makes which block, and when. Then all nodes receive all blocks and make blocks in turn.
 *
 * If f1r3node nodes judge the two in any order, their rules cannot recover (61 §15.6): only that there is one final
 * chain, and that Vedette accuses no honest validator, is checked then.
 *
 * @param maxJudgements a node that judges blocks more often never ends, which is a fault; default: many
 * @spec 61 §15
 */
export async function simulateMixed(seed: number, maxJudgements?: number): Promise<MixedOutcome> {
  const random = new SeededRandom(seed, "mixed");
  const plan = drawPlan(random);
  try {
    return await runPlan(plan, random, maxJudgements);
  } catch (error) {
    if (!(error instanceof EndlessJudgingError)) throw error;
    return { ...plan, blocks: 0, finals: 0, judgements: 0, wronged: [], wrong: [`it does not end: ${error.message}`] };
  }
}

interface Plan {
  readonly makes: readonly NodeMake[];
  readonly judging: Judging;
}

async function runPlan({ makes, judging }: Plan, random: SeededRandom, maxJudgements?: number): Promise<MixedOutcome> {
  const network = await MixedNetwork.begin({ makes, isRaced: judging === "raced", maxJudgements });
  const before = network.finalHeight;
  if (judging === "ordered") await deliverInOneOrder(network, makes, random);
  await actAtRandom(network, random);
  await network.deliverAll();
  // Newer nodes that hold other sides for the latest do not agree on what comes upon one of them.
  const goesOn = judging === "raced" && makes.filter((make) => make === "f1r3node").length < 2 && random.chance(0.5);
  for (let round = 0; round < roundsAfter; round += 1) {
    if (goesOn) await network.offendFurther(0);
    await network.deliverAll();
    await network.round();
  }
  const finals = network.finalHeight - before;
  const wrong = network.faults();
  const wronged = network.wronged();
  if (judging !== "anyhow") {
    wrong.push(...network.refusals(), ...wronged.map((name) => `${name} has lost its stake`));
    if (finals < minFinals) wrong.push(`only ${finals} heights became final`);
  }
  if (judging === "ordered" && !(await losesStake(network)))
    wrong.push("the validator that made two blocks still has its stake");
  const judgements = network.nodes.reduce((sum, node) => sum + node.judgements, 0);
  return { makes, judging, blocks: network.made.length, finals, judgements, wronged, wrong };
}

/** Whether the validator that made two blocks has lost its stake within some more rounds. */
async function losesStake(network: MixedNetwork): Promise<boolean> {
  const hasStake = () => network.nodes.some((_, index) => network.offenderStake(index) > 0n);
  for (let round = 0; hasStake() && round < roundsAfter; round += 1) await network.round();
  return !hasStake();
}

function drawPlan(random: SeededRandom): Plan {
  const judging = random.pick(["raced", "raced", "raced", "ordered", "anyhow"] as const);
  const count = random.from(2, 4);
  const makes = Array.from({ length: count }, (): NodeMake => (random.chance(0.5) ? "vedette" : "f1r3node"));
  // A slash needs a node that holds one of the two blocks for invalid.
  if (judging === "ordered") makes[random.below(count)] = "f1r3node";
  return { makes, judging };
}

async function deliverInOneOrder(
  network: MixedNetwork,
  makes: readonly NodeMake[],
  random: SeededRandom,
): Promise<void> {
  for (const [index, node] of network.nodes.entries())
    await node.receive(...(makes[index] === "f1r3node" ? network.sides : random.shuffled(network.sides)));
}

/** Each node receives the blocks one at a time, in its own order, and makes blocks between them. */
async function actAtRandom(network: MixedNetwork, random: SeededRandom): Promise<void> {
  const undelivered = network.nodes.map(() => [...network.sides]);
  const isNewTo = (index: number, block: Block) => !network.nodes[index]!.dag.has(block.hash);
  for (let step = 0; step < steps; step += 1) {
    const index = random.below(network.nodes.length);
    const waiting = undelivered[index]!.filter((block) => isNewTo(index, block));
    if (waiting.length > 0 && random.chance(0.75)) {
      const block = random.pick(waiting);
      undelivered[index] = waiting.filter((one) => one !== block);
      await network.nodes[index]!.receive(block);
      continue;
    }
    const made = await network.make(index);
    if (made !== undefined) for (const list of undelivered) list.push(made);
  }
}
