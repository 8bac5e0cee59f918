import type { Block } from "@vedette/protocol";
import { expect, test } from "vitest";
import { contestedTerm } from "../../testing/f1r3nodeParts.js";
import { signedDeploy, TestValidator, testGenesis } from "../../testing/ProposeNetwork.js";

const names = ["v1", "v2", "v3"] as const;

/** Numbers that a seed decides. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Three validators that send conflicting deploys, and receive each other's blocks with a random delay. */
class GossipingNetwork {
  readonly validators: readonly TestValidator[];
  readonly #undelivered = new Map<TestValidator, Block[]>();
  readonly #random: (below: number) => number;
  #nowMs = 1_000_000;

  constructor(seed: number) {
    this.#random = randomOf(seed);
    const genesis = testGenesis(Object.fromEntries(names.map((name) => [name, 10])));
    const options = { followsFloors: true, nowMs: () => this.#nowMs };
    this.validators = names.map((name) => new TestValidator(name, genesis, options));
    for (const one of this.validators) this.#undelivered.set(one, []);
  }

  /** @returns of a block that was made, whether it has deploys, and whether its maker saw one wait */
  async step(): Promise<{ readonly waits: boolean; readonly hasDeploys: boolean } | undefined> {
    this.#nowMs += 1_000;
    const one = this.validators[this.#random(names.length)]!;
    if (this.#random(3) > 0) {
      await this.#deliverNext(one);
      return undefined;
    }
    if (this.#random(2) === 0) {
      const validAfterBlockNumber = one.chain.dag.nextBlockNumber() - 1n;
      one.pool.submit(signedDeploy({ term: contestedTerm, validAfterBlockNumber }, one.name));
    }
    const { hasWaitingDeploy: waits } = await one.proposer.conditions();
    const block = await one.make();
    for (const other of this.validators) if (other !== one) this.#undelivered.get(other)!.push(block);
    return { waits, hasDeploys: block.body.deploys.length > 0 };
  }

  async #deliverNext(one: TestValidator): Promise<void> {
    const undelivered = this.#undelivered.get(one)!;
    const next = undelivered.findIndex((block) => one.chain.missingDependencies(block).length === 0);
    if (next >= 0) expect(await one.take(...undelivered.splice(next, 1))).toEqual(["Valid"]);
  }
}

test("a deploy waits exactly where the next block has one, whatever merges have done with it", async () => {
  // With this seed a deploy that one merge gave up is in the states that another one leaves.
  const network = new GossipingNetwork(10);
  const wrong: number[] = [];
  let blocks = 0;
  for (let step = 0; step < 200; step += 1) {
    const made = await network.step();
    if (made === undefined) continue;
    blocks += 1;
    if (made.waits !== made.hasDeploys) wrong.push(step);
  }
  expect(blocks).toBeGreaterThan(50);
  expect(wrong).toEqual([]);
});
