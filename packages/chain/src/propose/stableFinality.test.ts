import { toHex } from "@vedette/crypto";
import type { Block } from "@vedette/protocol";
import { expect, test } from "vitest";
import { isAncestorOrSelf } from "../dag/ancestors.js";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import { forkPatienceMs } from "../forkChoice/heaviestTip.js";
import { share, TestValidator, testGenesis } from "../testing/ProposeNetwork.js";

const stakes = { v1: 100, v2: 100, v3: 100 };
const rules = { maximumParents: 1, faultToleranceThreshold: 0.1 };

/** Three validators whose blocks have other hashes in every world. */
function validatorsOf(world: number): readonly [TestValidator, TestValidator, TestValidator] {
  const genesis = testGenesis(stakes);
  const options = { rules, nowMs: () => 1_000_000 + world };
  return [
    new TestValidator("v1", genesis, options),
    new TestValidator("v2", genesis, options),
    new TestValidator("v3", genesis, options),
  ];
}

/** Blocks in turns, until something later is final. @returns whether what was final before is below it */
async function goesOn(all: readonly TestValidator[], rounds: number): Promise<void> {
  const finals = all.map(({ chain }) => chain.dag.lastFinalized()!);
  for (let round = 0; round < rounds; round += 1)
    for (const one of all) await share(await one.make(), ...all.filter((other) => other !== one));
  for (const [at, { name, chain }] of all.entries()) {
    const now = chain.dag.lastFinalized()!;
    expect(now.number, name).toBeGreaterThan(finals[at]!.number);
    expect(isAncestorOrSelf(chain.dag, finals[at]!, now), `${name} keeps ${toHex(finals[at]!.hash)}`).toBe(true);
  }
}

for (let world = 0; world < 8; world += 1) {
  test(`what two of three have made final stays so beside a block that came late (${world})`, async () => {
    const [v1, v2, v3] = validatorsOf(world);
    const late = await v1.make();
    const first = await v3.make();
    await share(first, v2);
    const second = await v2.make();
    await share(second, v3);
    expect(v2.lastFinalized).toBe(1);
    await share(late, v2, v3);
    await share(first, v1);
    await share(second, v1);
    await goesOn([v3, v1, v2], 4);
  });

  test(`a validator that has not heard of the second vote stays with its own block (${world})`, async () => {
    const [v1, v2, v3] = validatorsOf(world);
    const late = await v1.make();
    const first = await v3.make();
    await share(first, v2);
    const second = await v2.make();
    expect(v2.lastFinalized).toBe(1);
    // The late block comes before the second one.
    await share(late, v3);
    expect(await v3.status()).toBe("InternalDeployError");
    await share(second, v3);
    await share(late, v2);
    for (const block of [first, second]) await share(block, v1);
    await goesOn([v3, v1, v2], 4);
  });
}

test("two of three go on with one side of a fork, when the third never speaks", async () => {
  let nowMs = 1_000_000;
  const genesis = testGenesis(stakes);
  const options = { rules, nowMs: () => nowMs };
  const [v1, v2] = [new TestValidator("v1", genesis, options), new TestValidator("v2", genesis, options)];
  const blocks = [await v1.make(), await v2.make()];
  await share(blocks[1]!, v1);
  await share(blocks[0]!, v2);
  for (const one of [v1, v2]) expect(await one.status()).toBe("InternalDeployError");
  nowMs += forkPatienceMs;
  const before = [v1.lastFinalized, v2.lastFinalized];
  for (let round = 0; round < 4; round += 1)
    for (const [one, other] of [
      [v1, v2],
      [v2, v1],
    ] as const) {
      const result = await one.proposer.propose();
      if (result.status === "Success") await share(result.block, other);
    }
  expect(Math.min(v1.lastFinalized, v2.lastFinalized)).toBeGreaterThan(Math.max(...before));
});

/** Validators whose blocks reach each other after a random time. */
class SlowNetwork {
  readonly all: readonly TestValidator[];
  readonly #random: () => number;
  readonly #underWay: { readonly block: Block; readonly to: TestValidator; readonly arrivesMs: number }[] = [];
  /** What each has told to be final. */
  readonly #final = new Map<TestValidator, BlockMetadata>();
  #nowMs = 1_000_000;

  constructor(seed: number, byName: Readonly<Record<string, number>>, maximumParents: number) {
    this.#random = randomFrom(seed);
    const genesis = testGenesis(byName);
    const options = { rules: { ...rules, maximumParents, faultToleranceThreshold: 0 }, nowMs: () => this.#nowMs };
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

  /** Once everybody knows of everything: whether what anybody has told to be final lies on one chain. */
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

for (const [name, byName] of Object.entries({
  "three of equal stakes": stakes,
  "five of equal stakes": { v1: 100, v2: 100, v3: 100, v4: 100, v5: 100 },
  "four of different stakes": { v1: 10, v2: 20, v3: 30, v4: 35 },
}))
  for (const maximumParents of [1, 10])
    test(`what is final stays so, and for all, when blocks come late: ${name}, at most ${maximumParents} parents`, async () => {
      for (let seed = 1; seed <= 8; seed += 1) {
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
    });
