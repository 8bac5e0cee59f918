import type { Block } from "@vedette/protocol";
import { ArrivalNode, TestClock } from "./ArrivalNode.js";
import { type TestValidatorOptions, testGenesis } from "./ProposeNetwork.js";

/** A network of rnode's rule; the last validator is the one that contradicts itself. */
const genesis = testGenesis({ v1: 1000, v2: 1000, v3: 1000, v4: 500 });
const honestNames = ["v1", "v2", "v3"] as const;

/** The blocks that each of three honest validators and an observer receive, and their order. */
export interface NetworkSplitScenario {
  /** Sides that the fourth validator signs. */
  readonly sides: number;
  /** For each honest validator, the side that it receives first, and builds on. */
  readonly firstSeen: readonly number[];
  /** For each of them, then the observer, the order in which it receives sides and what the three built. */
  readonly orders: readonly (readonly number[])[];
  readonly slashesUnconfirmed?: boolean;
}

/** The nodes after all of them have received all blocks. */
export interface SplitNetwork {
  readonly clock: TestClock;
  readonly validators: readonly ArrivalNode[];
  readonly observer: ArrivalNode;
  readonly sides: readonly Block[];
  /** The block that each honest validator built first. */
  readonly made: readonly Block[];
}

/** A node that has received nothing yet. */
export function newNode(name: string, clock: TestClock, options?: TestValidatorOptions): ArrivalNode {
  return new ArrivalNode(name, genesis, clock, options);
}

/** A validator sends different blocks to different validators; then all receive all of them. */
export async function splitNetwork(split: NetworkSplitScenario): Promise<SplitNetwork> {
  const { firstSeen, orders, slashesUnconfirmed } = split;
  const clock = new TestClock();
  const validators = honestNames.map((name) => newNode(name, clock, { proposer: { slashesUnconfirmed } }));
  const observer = newNode("v5", clock);
  const sides: Block[] = [];
  for (let side = 0; side < split.sides; side += 1) sides.push((await newNode("v4", clock).make())!);
  const made: Block[] = [];
  for (const [index, node] of validators.entries()) {
    await node.receive(sides[firstSeen[index]!]!);
    made.push((await node.make())!);
  }
  const all = [...sides, ...made];
  for (const [index, node] of [...validators, observer].entries())
    await node.receive(...orders[index]!.map((at) => all[at]!));
  return { clock, validators, observer, sides, made };
}

/** Each validator makes a block in turn, and all receive it. */
export async function goOn({ validators, observer }: SplitNetwork, rounds: number): Promise<Block[]> {
  const made: Block[] = [];
  for (let round = 0; round < rounds; round += 1)
    for (const maker of validators) {
      const block = await maker.make();
      if (block === undefined) continue;
      made.push(block);
      for (const node of [...validators, observer]) if (node !== maker) await node.receive(block);
    }
  return made;
}
