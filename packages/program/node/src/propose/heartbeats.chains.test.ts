import { addressOfKey, transferTerm } from "@vedette/client";
import { toHex } from "@vedette/crypto";
import { type Block, decodeBlock, rnode } from "@vedette/protocol";
import { chainsThatAreThere, recordedBlocks } from "@vedette/testing";
import { expect, test } from "vitest";
import { FakeTime } from "../testing/FakeTime.js";
import { SoloValidator, testKey, userDeploy } from "../testing/SoloValidator.js";
import type { ProposingOptions } from "./Proposing.js";

const addressOf = (user: string): string => addressOfKey({ algorithm: "secp256k1", ...testKey(user) });
const checkIntervalMs = 6_000;
const chains = chainsThatAreThere("trio");

/** Validators of one process with blocks that reach each other at once, or only later. */
class Network {
  readonly time = new FakeTime();
  readonly all: SoloValidator[] = [];
  readonly #blocks: Block[] = [];
  /** Validators that neither send nor receive. */
  readonly silent = new Set<SoloValidator>();

  static async begin(
    chain: string,
    maximumParents: number,
    proposing: Partial<ProposingOptions> = {},
  ): Promise<Network> {
    const network = new Network();
    const genesis = decodeBlock(recordedBlocks(chain)[0]!.bytes, rnode.blockForm);
    const { time } = network;
    time.nowMs = Number(genesis.header.timestamp) + 60_000;
    for (const name of ["v1", "v2", "v3"]) {
      const validator: SoloValidator = await SoloValidator.begin(name, genesis, {
        rules: { maximumParents, faultToleranceThreshold: 0.3 },
        nowMs: () => time.nowMs,
        proposing: {
          settings: {
            constraints: { synchronyThreshold: 0.33, heightThreshold: 1000n },
            autopropose: false,
            heartbeat: { checkIntervalMs, maximumLfbAgeMs: 30_000, wakesOnDeploy: false },
          },
          announce: (block) => network.#blocks.push(block),
          timers: time,
          ...proposing,
        },
      });
      network.all.push(validator);
    }
    return network;
  }

  /** Lets time pass, in steps after which blocks have arrived. */
  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 500) {
      await this.time.pass(500);
      await this.deliver();
    }
  }

  async deliver(): Promise<void> {
    for (const one of this.all.filter((each) => !this.silent.has(each))) {
      const keys = [...this.silent].map(({ proposing }) => toHex(proposing.proposer.publicKey));
      const sent = this.#blocks.filter(({ sender }) => !keys.includes(toHex(sender)));
      const missing = sent.filter(({ hash }) => !one.chain.dag.has(hash));
      for (const block of missing)
        if (one.chain.missingDependencies(block).length === 0) expect(await one.take(block)).toBe("Valid");
    }
  }

  get finalized(): number[] {
    return this.all.map(({ chain }) => Number(chain.dag.lastFinalized()!.number));
  }
}

for (const maximumParents of [1, 10]) {
  test.each(chains)(
    `heartbeats of three validators of the genesis of %s finalize deploys, with at most ${maximumParents} parents`,
    async (chain) => {
      const network = await Network.begin(chain, maximumParents);
      const end = new AbortController();
      const running = network.all.map(({ proposing }) => proposing.run(end.signal));
      const deploys = [];
      for (const [index, { proposing }] of network.all.entries()) {
        const deploy = userDeploy(
          `u${index + 1}`,
          transferTerm(addressOf(`u${index + 1}`), addressOf("v1"), 7n, "rnode"),
        );
        deploys.push(deploy);
        expect(await proposing.submit(deploy)).toBeUndefined();
        await network.pass(4_000);
      }
      await network.pass(40_000);
      expect(new Set(network.finalized).size).toBe(1);
      for (const { chain, proposing } of network.all) {
        for (const { signature } of deploys) {
          const blocks = chain.dag.blocksOfDeploy(signature).filter((hash) => chain.dag.require(hash).finalized);
          expect(blocks.length).toBe(1);
        }
        expect(proposing.pool.size).toBe(0);
      }
      const states = network.all.map(({ chain }) => toHex(chain.dag.lastFinalized()!.postStateHash));
      expect(new Set(states).size).toBe(1);
      end.abort();
      await Promise.all(running);
    },
    120_000,
  );
}

test.each(chains)(
  "blocks made at one time are merged, and all nodes have the merged states (genesis of %s)",
  async (chain) => {
    const network = await Network.begin(chain, 10);
    for (let round = 0; round < 3; round += 1) {
      for (const [index, { proposing }] of network.all.entries()) {
        const user = `u${index + 1}`;
        await proposing.submit(
          userDeploy(user, transferTerm(addressOf(user), addressOf("v2"), BigInt(round + 1), "rnode")),
        );
        await proposing.submit(userDeploy(user, `@"place of ${user} ${round}"!(${round})`));
      }
      for (const one of network.all) await one.proposing.proposer.propose();
      await network.deliver();
    }
    const heights = network.all.map(({ chain }) => chain.dag.nextBlockNumber());
    expect(new Set(heights).size).toBe(1);
    expect(heights[0]).toBe(4n);
    const { dag } = network.all[0]!.chain;
    const parents = [...dag.blocksByHeight(3n, 3n)].map(({ hash }) => dag.require(hash).parents.length);
    expect(parents).toEqual([3, 3, 3]);
    const states = network.all.map((one) => toHex(one.chain.dag.lastFinalized()!.postStateHash));
    expect(new Set(states).size).toBe(1);
  },
  120_000,
);

test.each(chains)(
  "a validator that fell silent takes part again; the others finalize without it (genesis of %s)",
  async (chain) => {
    const network = await Network.begin(chain, 1);
    const end = new AbortController();
    const [, , v3] = network.all;
    const running = network.all.map(({ proposing }) => proposing.run(end.signal));
    network.silent.add(v3!);
    await network.pass(60_000);
    const [before] = network.finalized;
    expect(before).toBeGreaterThan(0);
    expect(network.finalized).toEqual([before, before, 0]);
    network.silent.clear();
    await network.pass(60_000);
    expect(new Set(network.finalized).size).toBe(1);
    expect(network.finalized[2]).toBeGreaterThan(before!);
    end.abort();
    await Promise.all(running);
  },
  120_000,
);
