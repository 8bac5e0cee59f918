import { type Block, type Deploy, f1r3node, hashKey } from "@vedette/protocol";
import { usualCases } from "@vedette/testing";
import { expect, test } from "vitest";
import { contestedTerm } from "../testing/f1r3nodeParts.js";
import { TestValidator, testGenesis } from "../testing/ProposeNetwork.js";

const names = ["v1", "v2", "v3"] as const;
/** The same numbers every time. */
function numbersOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % below;
  };
}

/** Validators of an f1r3node network that receive each other's blocks late. */
class Network {
  readonly #validators: readonly TestValidator[];
  /** The blocks that each has still to receive, in the order in which they were made. */
  readonly #waiting = new Map<TestValidator, Block[]>();
  readonly deploys: Deploy[] = [];
  readonly wrong: string[] = [];
  readonly seen = { finalized: 0, undecided: 0 };

  constructor() {
    const genesis = testGenesis({ v1: 10, v2: 11, v3: 12 }, undefined, f1r3node);
    const options = { followsFloors: true };
    this.#validators = names.map((name) => new TestValidator(name, genesis, options));
    for (const one of this.#validators) this.#waiting.set(one, []);
  }

  async make(at: number, term: string | undefined): Promise<void> {
    const maker = this.#validators[at]!;
    const { number } = maker.chain.dag.lastFinalized()!;
    if (term !== undefined) this.deploys.push(maker.deploy({ term, validAfterBlockNumber: number }));
    const block = await maker.make();
    for (const other of this.#validators) if (other !== maker) this.#waiting.get(other)!.push(block);
    this.#check(maker);
  }

  async give(at: number, most: number): Promise<void> {
    const one = this.#validators[at]!;
    for (const block of this.#waiting.get(one)!.splice(0, most)) {
      expect(await one.take(block)).toEqual(["Valid"]);
      this.#check(one);
    }
  }

  /** A deploy is finalized if its effect is in the last final state, by the blocks in the state's line. */
  #check({ name, chain }: TestValidator): void {
    const effects = new Set<string>();
    for (let at = chain.blocks.find(chain.dag.lastFinalized()!.hash); at !== undefined; ) {
      const { deploys, appliedFromScope = [], mergeBase = at.parents[0] } = at.body;
      for (const signature of [...deploys.map(({ deploy }) => deploy.signature), ...appliedFromScope])
        effects.add(hashKey(signature));
      at = mergeBase === undefined ? undefined : chain.blocks.find(mergeBase);
    }
    for (const [index, deploy] of this.deploys.entries()) {
      const key = hashKey(deploy.signature);
      const status = chain.finalStatusOf(deploy);
      const isThere = effects.has(key);
      if ((status === "finalized") !== isThere)
        this.wrong.push(`${name}: deploy ${index} is ${status}, its effect is ${isThere ? "" : "not "}there`);
      this.seen[isThere ? "finalized" : "undecided"] += 1;
    }
  }
}

test.each(usualCases([1, 2]))(
  "on an f1r3node network all report finalized exactly while the effect is there (%i)",
  async (seed) => {
    const below = numbersOf(seed);
    const network = new Network();
    for (let step = 0; step < 70; step += 1) {
      const term = step < 40 && below(2) === 0 ? (below(3) === 0 ? "Nil" : contestedTerm) : undefined;
      await network.make(below(names.length), term);
      for (const at of names.keys()) await network.give(at, below(3));
    }
    expect(network.wrong).toEqual([]);
    expect(network.seen.finalized).toBeGreaterThan(100);
    expect(network.seen.undecided).toBeGreaterThan(100);
  },
);
