import { signedDeploy, TestValidator, testGenesis } from "@vedette/chain/testing";
import type { Block } from "@vedette/protocol";
import { expect, test } from "vitest";
import { FakeTime } from "../testing/FakeTime.js";
import { CappedRule, type HeartbeatCaps, maxUnseen } from "./CappedRule.js";
import { Heartbeat } from "./Heartbeat.js";
import { type HeartbeatRule, progressRule } from "./HeartbeatRule.js";

/** f1r3node's defaults. */
const caps: HeartbeatCaps = {
  ...{ selfProposeCooldownMs: 3_000, staleRecoveryMinIntervalMs: 3_000 },
  ...{ finalityProgressTimeoutMs: 30_000, deployFinalizationGraceMs: 25_000 },
  ...{ frontierChaseMaxLag: 20, pendingDeployMaxLag: 20, deployRecoveryMaxLag: 64 },
  emptyFrontierMaxUnfinalizedBlocks: 64,
};
const checkIntervalMs = 5_000;
const maximumLfbAgeMs = 5_000;
/** Time in which a slow validator validates {@link slowBlocks} blocks of others and makes one block. */
const slowMs = 20_000;
const slowBlocks = 2;
const names = ["v1", "v2", "v3"] as const;

/** Three validators by f1r3node's rules: a fast one with a heartbeat, and two that are slow with what they get. */
class SlowNetwork {
  readonly time = new FakeTime();
  readonly fast: TestValidator;
  readonly slow: readonly TestValidator[];
  /** Blocks that a slow validator has got and not looked at. */
  readonly #inbox = new Map<TestValidator, Block[]>();
  readonly #running: Promise<void>;
  readonly #end = new AbortController();
  #passedMs = 0;
  #sent = 0;
  widestGap = 0;

  constructor(rule: HeartbeatRule) {
    const genesis = testGenesis(Object.fromEntries(names.map((name) => [name, 10])));
    const options = { followsFloors: true, nowMs: () => this.time.nowMs };
    const [fast, ...slow] = names.map((name) => new TestValidator(name, genesis, options));
    this.fast = fast!;
    this.slow = slow;
    for (const one of slow) this.#inbox.set(one, []);
    const { proposer } = this.fast;
    const heartbeat = new Heartbeat({
      ...{ proposer, rule, checkIntervalMs, maximumLfbAgeMs, wakesOnDeploy: true },
      queue: { proposeNow: (wish) => proposer.propose(undefined, wish) },
      emit: () => {},
      nowMs: () => this.time.nowMs,
      wait: this.time.wait,
    });
    this.#running = heartbeat.run(this.#end.signal);
  }

  /** @param everyMs how often the fast one gets a deploy */
  async pass(ms: number, everyMs = Number.POSITIVE_INFINITY): Promise<void> {
    for (let passed = 0; passed < ms; passed += 1_000) {
      const validAfterBlockNumber = BigInt(tipOf(this.fast));
      if (passed % everyMs === 0) this.fast.pool.submit(signedDeploy({ validAfterBlockNumber }));
      await this.time.pass(1_000);
      this.#passedMs += 1_000;
      for (const block of this.fast.announced.slice(this.#sent)) for (const one of this.slow) this.#give(one, block);
      this.#sent = this.fast.announced.length;
      if (this.#passedMs % slowMs === 0) for (const one of this.slow) await this.#work(one);
      const numbers = [this.fast, ...this.slow].map((one) => tipOf(one));
      this.widestGap = Math.max(this.widestGap, Math.max(...numbers) - Math.min(...numbers));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    await this.#running;
  }

  #give(one: TestValidator, block: Block): void {
    this.#inbox.get(one)!.push(block);
  }

  async #work(one: TestValidator): Promise<void> {
    const inbox = this.#inbox.get(one)!;
    for (let looked = 0; looked < slowBlocks; looked += 1) {
      const next = inbox.findIndex((block) => one.chain.missingDependencies(block).length === 0);
      if (next >= 0) expect(await one.take(...inbox.splice(next, 1))).toEqual(["Valid"]);
    }
    const block = await one.make();
    expect(await this.fast.take(block)).toEqual(["Valid"]);
    for (const other of this.slow) if (other !== one) this.#give(other, block);
  }
}

function tipOf(one: TestValidator): number {
  return Number(one.chain.dag.nextBlockNumber() - 1n);
}

test("a validator with deploys that wait leaves slow ones no further behind than they are slow", async () => {
  await using network = new SlowNetwork(new CappedRule(caps, maximumLfbAgeMs));
  await network.pass(350_000, 5_000);
  expect(network.widestGap).toBeLessThanOrEqual(maxUnseen + names.length);
  expect(network.fast.announced.some(({ body }) => body.deploys.length === 0)).toBe(false);
});

test("without caps it leaves them behind for good", async () => {
  await using network = new SlowNetwork(progressRule(maximumLfbAgeMs));
  await network.pass(400_000, 5_000);
  expect(network.widestGap).toBeGreaterThan(2 * caps.pendingDeployMaxLag);
});

test("a validator without deploys makes no more blocks than the others give it news", async () => {
  await using network = new SlowNetwork(new CappedRule(caps, maximumLfbAgeMs));
  await network.pass(200_000);
  const others = network.slow.reduce((sum, { announced }) => sum + announced.length, 0);
  expect(network.fast.announced.length).toBeGreaterThan(5);
  expect(network.fast.announced.length).toBeLessThanOrEqual(others);
});
