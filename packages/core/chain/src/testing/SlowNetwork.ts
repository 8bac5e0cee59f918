import { toHex } from "@vedette/crypto";
import type { Block } from "@vedette/protocol";
import { expect } from "vitest";
import { isAncestorOrSelf } from "../dag/ancestors.js";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import { share, TestValidator, testGenesis } from "./ProposeNetwork.js";

/** Stakes of networks in which blocks come late, by what the networks are called. */
export const slowNetworks: readonly (readonly [string, Readonly<Record<string, number>>])[] = [
  ["three of equal stakes", { v1: 100, v2: 100, v3: 100 }],
  ["five of equal stakes", { v1: 100, v2: 100, v3: 100, v4: 100, v5: 100 }],
  ["four of different stakes", { v1: 10, v2: 20, v3: 30, v4: 35 }],
];

/** Fails where what was final does not stay so, or where not all come to final blocks of one chain. */
export async function expectStableFinality(
  seed: number,
  byName: Readonly<Record<string, number>>,
  maximumParents: number,
): Promise<void> {
  const network = new SlowNetwork(seed, byName, maximumParents);
  await network.pass(40, 15_000);
  await network.agrees();
  const before = network.lowestFinal;
  // On a quick network all comes to be final.
  await network.pass(40, 500);
  await network.agrees();
  expect(network.lowestFinal, `seed ${seed}`).toBeGreaterThan(before);
  // Once all have spoken, nothing hangs on time.
  await network.pass(40, 60_000);
  await network.agrees();
}

/** A network of validators that delivers blocks after a random time. */
class SlowNetwork {
  readonly all: readonly TestValidator[];
  readonly #random: () => number;
  readonly #underWay: { readonly block: Block; readonly to: TestValidator; readonly arrivesMs: number }[] = [];
  /** The last finalized block of each validator. */
  readonly #final = new Map<TestValidator, BlockMetadata>();
  #nowMs = 1_000_000;

  constructor(seed: number, byName: Readonly<Record<string, number>>, maximumParents: number) {
    this.#random = randomFrom(seed);
    const genesis = testGenesis(byName);
    const options = { rules: { maximumParents, faultToleranceThreshold: 0 }, nowMs: () => this.#nowMs };
    this.all = Object.keys(byName).map((name) => new TestValidator(name, genesis, options));
    for (const one of this.all) this.#final.set(one, one.chain.dag.lastFinalized()!);
  }

  /** @param longestMs of the ways that blocks take */
  async pass(seconds: number, longestMs: number): Promise<void> {
    for (const endMs = this.#nowMs + seconds * 1000; this.#nowMs < endMs; this.#nowMs += 1_000) {
      await this.#deliver();
      for (const one of this.all) if (this.#random() < 0.2) await this.#make(one, longestMs);
    }
  }

  async #make(one: TestValidator, longestMs: number): Promise<void> {
    const result = await one.proposer.propose();
    this.#look(one);
    if (result.status !== "Success") return;
    for (const to of this.all)
      if (to !== one)
        this.#underWay.push({ block: result.block, to, arrivesMs: this.#nowMs + this.#random() * longestMs });
  }

  async #deliver(): Promise<void> {
    for (let at = 0; at < this.#underWay.length; at += 1) {
      const { block, to, arrivesMs } = this.#underWay[at]!;
      if (arrivesMs > this.#nowMs || to.chain.missingDependencies(block).length > 0) continue;
      await share(block, to);
      this.#look(to);
      this.#underWay.splice(at, 1);
      at = -1;
    }
  }

  #look(one: TestValidator): void {
    const { dag } = one.chain;
    const before = this.#final.get(one)!;
    const now = dag.lastFinalized()!;
    if (before.key === now.key) return;
    this.#final.set(one, now);
    expect(isAncestorOrSelf(dag, before, now), `${one.name} keeps ${toHex(before.hash)}`).toBe(true);
  }

  /** Delivers all blocks, then checks that what any validator ever held for final lies on one chain. */
  async agrees(): Promise<void> {
    this.#nowMs += 60_000;
    await this.#deliver();
    expect(this.#underWay).toEqual([]);
    const { dag } = this.all[0]!.chain;
    const final = [...this.#final.values()].sort((left, right) => Number(left.number - right.number));
    for (const [at, lower] of final.entries())
      for (const higher of final.slice(at + 1)) expect(isAncestorOrSelf(dag, lower, higher)).toBe(true);
  }

  get lowestFinal(): number {
    return Math.min(...this.all.map(({ lastFinalized }) => lastFinalized));
  }
}

/** Numbers from 0 to 1. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
