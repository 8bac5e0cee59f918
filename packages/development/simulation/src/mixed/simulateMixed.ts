import { MixedNetwork, type NodeMake } from "@vedette/chain/testing";
import type { Block } from "@vedette/protocol";
import { SeededRandom } from "../random/SeededRandom.js";

/**
 * How f1r3node nodes come to judge the two blocks: at the same time, so that both are valid; one after the other, all the
 * same first, before anybody builds on either; or each one after the other, in any order.
 */
type Judging = "raced" | "ordered" | "anyhow";

/** What came of a network of both makes with a validator that made two blocks at once. */
export interface MixedOutcome {
  readonly makes: readonly NodeMake[];
  readonly judging: Judging;
  /** That honest validators made. */
  readonly blocks: number;
  /** Final heights since the two blocks, at the node that is behind most. */
  readonly finals: number;
  /** What is wrong; empty where all held to all checks. */
  readonly wrong: readonly string[];
}

const roundsAfter = 4;
/** Steps in which nodes hear of something or make a block, in an order that the seed decides. */
const steps = 40;
const minFinals = 4;

/**
 * Runs a network of validators of both makes, of which another one makes two blocks at the same moment: who hears of
 * what, and makes a block, and when, is decided by the seed. Then all hear of all, and all go on in turn.
 *
 * Where f1r3node nodes judge the two in any order, their own rules leave no way (61 §15.6): then only what must never be is
 * looked for.
 *
 * @spec 61 §15
 */
export async function simulateMixed(seed: number): Promise<MixedOutcome> {
  const random = new SeededRandom(seed, "mixed");
  const { makes, judging } = drawPlan(random);
  const network = await MixedNetwork.begin({ makes, isRaced: judging === "raced" });
  const before = network.finalHeight;
  if (judging === "ordered") await hearInOneOrder(network, makes, random);
  await actAtRandom(network, random);
  await network.hearAll();
  // Newer nodes that hold other sides for the latest do not agree on what comes upon one of them.
  const goesOn = judging === "raced" && makes.filter((make) => make === "f1r3node").length < 2 && random.chance(0.5);
  for (let round = 0; round < roundsAfter; round += 1) {
    if (goesOn) await network.offendFurther(0);
    await network.hearAll();
    await network.round();
  }
  const finals = network.finalHeight - before;
  const wrong = network.faults();
  if (judging !== "anyhow") {
    wrong.push(...network.refusals());
    if (finals < minFinals) wrong.push(`only ${finals} heights became final`);
  }
  if (judging === "ordered" && !(await losesStake(network))) wrong.push("who made two blocks has its stake still");
  return { makes, judging, blocks: network.made.length, finals, wrong };
}

/** Whether who made two blocks has no stake any more in what all build on, after some more rounds at most. */
async function losesStake(network: MixedNetwork): Promise<boolean> {
  const hasStake = () => network.nodes.some((_, index) => network.offenderStake(index) > 0n);
  for (let round = 0; hasStake() && round < roundsAfter; round += 1) await network.round();
  return !hasStake();
}

function drawPlan(random: SeededRandom): { readonly makes: readonly NodeMake[]; readonly judging: Judging } {
  const judging = random.pick(["raced", "raced", "raced", "ordered", "anyhow"] as const);
  const count = random.from(2, 4);
  const makes = Array.from({ length: count }, (): NodeMake => (random.chance(0.5) ? "vedette" : "f1r3node"));
  // Somebody has to hold one of the two for invalid, and to slash for it.
  if (judging === "ordered") makes[random.below(count)] = "f1r3node";
  return { makes, judging };
}

async function hearInOneOrder(network: MixedNetwork, makes: readonly NodeMake[], random: SeededRandom): Promise<void> {
  for (const [index, node] of network.nodes.entries())
    await node.receive(...(makes[index] === "f1r3node" ? network.sides : random.shuffled(network.sides)));
}

/** Each node hears of blocks in an order of its own, one at a time, and makes blocks meanwhile. */
async function actAtRandom(network: MixedNetwork, random: SeededRandom): Promise<void> {
  const unheard = network.nodes.map(() => [...network.sides]);
  const isNewTo = (index: number, block: Block) => !network.nodes[index]!.dag.has(block.hash);
  for (let step = 0; step < steps; step += 1) {
    const index = random.below(network.nodes.length);
    const waiting = unheard[index]!.filter((block) => isNewTo(index, block));
    if (waiting.length > 0 && random.chance(0.75)) {
      const block = random.pick(waiting);
      unheard[index] = waiting.filter((one) => one !== block);
      await network.nodes[index]!.receive(block);
      continue;
    }
    const made = await network.make(index);
    if (made !== undefined) for (const list of unheard) list.push(made);
  }
}
