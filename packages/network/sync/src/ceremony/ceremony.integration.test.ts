import type { ChainRules } from "@vedette/chain";
import { toHex } from "@vedette/crypto";
import type { Peer } from "@vedette/network";
import { type Dialect, f1r3node, rnode } from "@vedette/protocol";
import { describe, expect, test } from "vitest";
import type { SyncOptions } from "../engine/SyncOptions.js";
import { FakeGenesis, testGenesis } from "../testing/FakeGenesis.js";
import { type Recording, TestDisk, TestSyncNode } from "../testing/TestSyncNode.js";
import { testHash } from "../testing/testBlock.js";

const validators = ["a", "b", "c"];
/** Execution is trusted in these tests and makes no states. */
const stateImport: SyncOptions["stateImport"] = {
  hasRoot: async () => true,
  missing: async () => [],
  importPage: async () => ({ nextPath: undefined, isNew: true }),
  recordRoot: async () => {},
};

interface Part {
  readonly genesis?: FakeGenesis;
  readonly disk?: TestDisk;
  readonly required?: number;
  readonly durationMs?: number;
  readonly checkChain?: SyncOptions["checkChain"];
}

/** A network of a dialect that nothing is recorded of yet. */
function networkOf(dialect: Dialect) {
  const rules: ChainRules = {
    ...{ dialect, shardName: "root", maximumParents: 1, maximumParentDepth: undefined },
    ...{ minimumPhloPrice: 1n, faultToleranceThreshold: 0, finalizationRate: 1, emptyStateHash: testHash("pre") },
  };
  const approved = { candidate: { block: testGenesis([], 1, dialect), requiredSignatures: 0 }, signatures: [] };
  const recording: Recording = { name: "new", approved, blocks: [], rules, statePages: [] };
  const fakeGenesis = (own?: string) => new FakeGenesis(validators, own, dialect);
  return {
    fakeGenesis,
    genesisAt: (attempt: number) => testGenesis(validators, attempt, dialect),
    master({ genesis = fakeGenesis(), disk, required = 2, durationMs = 3_600_000, checkChain }: Part = {}) {
      const options: Partial<SyncOptions> = {
        stateImport,
        checkChain,
        modes: { genesisValidator: false, ceremonyMaster: true },
        ceremony: {
          genesis,
          rules: { requiredSignatures: required, approveIntervalMs: 50, approveDurationMs: durationMs },
        },
      };
      return new TestSyncNode(recording, options, disk);
    },
    validator(bootstrap: Peer, name: string, { genesis = fakeGenesis(name), disk }: Part = {}) {
      const options: Partial<SyncOptions> = {
        bootstrap,
        stateImport,
        modes: { genesisValidator: true, ceremonyMaster: false },
        ceremony: {
          genesis,
          rules: { requiredSignatures: 2, approveIntervalMs: 50, approveDurationMs: 3_600_000 },
        },
      };
      return new TestSyncNode(recording, options, disk);
    },
    observer: (bootstrap: Peer) => new TestSyncNode(recording, { bootstrap, stateImport }),
  };
}

const countOf = (node: TestSyncNode, type: string) => node.events.filter((event) => event.type === type).length;
const isRunning = (node: TestSyncNode) => node.engine.status().state === "running";
const genesisOf = (node: TestSyncNode) => toHex(node.chain.blocks.approvedBlock()!.candidate.block.hash);

describe.each([rnode, f1r3node])("a genesis ceremony on a network of $name", (dialect) => {
  const { master, validator, observer: observerOf, fakeGenesis, genesisAt } = networkOf(dialect);

  test("leads the master and its validators to one approved block", async () => {
    await using bootstrap = await master({ required: 2, durationMs: 1 }).start();
    await using one = await validator(bootstrap.peer, "a").start();
    await using two = await validator(bootstrap.peer, "b").start();
    await using observer = await observerOf(bootstrap.peer).start();
    for (const node of [bootstrap, one, two, observer]) await node.until(() => isRunning(node));
    expect(new Set([bootstrap, one, two, observer].map(genesisOf)).size).toBe(1);
    expect(bootstrap.chain.blocks.approvedBlock()!.signatures.length).toBe(2);
    expect(one.chain.blocks.approvedBlock()!.candidate.requiredSignatures).toBeOneOf([0, 2]);
    expect(bootstrap.chain.dag.lastFinalized()!.number).toBe(0n);
  });

  test("ends for a validator that comes when it is over", async () => {
    await using bootstrap = await master({ durationMs: 1 }).start();
    await using one = await validator(bootstrap.peer, "a").start();
    await using two = await validator(bootstrap.peer, "b").start();
    await bootstrap.until(() => isRunning(bootstrap));
    await using late = await validator(bootstrap.peer, "c").start();
    for (const node of [one, two, late]) await node.until(() => isRunning(node));
    expect(genesisOf(late)).toBe(genesisOf(bootstrap));
    expect(countOf(late, "candidateReceived")).toBe(0);
  });

  test("reaches a validator that refuses the candidate, without its approval", async () => {
    const genesis = fakeGenesis("c");
    genesis.verdict = async () => "Block bonds don't match expected.";
    await using bootstrap = await master({ durationMs: 1 }).start();
    await using refusing = await validator(bootstrap.peer, "c", { genesis }).start();
    await refusing.until(() => countOf(refusing, "candidateRefused") > 0);
    await using one = await validator(bootstrap.peer, "a").start();
    await using two = await validator(bootstrap.peer, "b").start();
    for (const node of [bootstrap, one, two, refusing]) await node.until(() => isRunning(node));
    expect(bootstrap.chain.blocks.approvedBlock()!.signatures.length).toBe(2);
  });

  test("begins anew with a master that was killed in the middle", async () => {
    const disk = new TestDisk();
    const genesis = fakeGenesis();
    const first = await master({ genesis, disk, durationMs: 1 }).start();
    const { peer } = first;
    await using one = await validator(peer, "a").start();
    await first.until(() => countOf(first, "approvalReceived") > 0);
    await first[Symbol.asyncDispose]();
    expect(first.chain.blocks.approvedBlock()).toBeUndefined();
    await using bootstrap = await master({ genesis, disk, durationMs: 1 }).start();
    expect(bootstrap.peer).toEqual(peer);
    await using two = await validator(peer, "b").start();
    for (const node of [bootstrap, one, two]) await node.until(() => isRunning(node));
    expect(genesis.made).toBe(2);
    expect(new Set([bootstrap, one, two].map(genesisOf))).toEqual(new Set([toHex(genesisAt(2).hash)]));
  });

  test("ends for validators if their master was killed before it could announce the block", async () => {
    const disk = new TestDisk();
    // As it is after the kill: begun, and not announced.
    await using before = master({ disk, required: 0 });
    await before.engine.run(AbortSignal.abort()).catch(() => undefined);
    const genesis = genesisAt(1);
    await before.chain.adoptGenesis({ candidate: { block: genesis, requiredSignatures: 0 }, signatures: [] });
    await using bootstrap = await master({ disk, required: 0 }).start();
    await using one = await validator(bootstrap.peer, "a").start();
    await one.until(() => isRunning(one));
    expect(genesisOf(one)).toBe(toHex(genesis.hash));
    expect(bootstrap.events[0]).toEqual({ type: "launched", state: "running" });
  });

  test("founds a network of one node, which needs no connection", async () => {
    const disk = new TestDisk();
    {
      await using alone = await master({ disk, required: 0 }).start();
      await alone.until(() => isRunning(alone));
      expect(alone.chain.blocks.approvedBlock()).toMatchObject({ signatures: [] });
    }
    await using again = await master({ disk, required: 0 }).start();
    await again.until(() => isRunning(again));
    expect(again.events.map(({ type }) => type)).not.toContain("waitingForFirstConnection");
    expect(countOf(again, "ceremonyStarted")).toBe(0);
  });

  test("is left by a validator at once when the validator is stopped", async () => {
    const genesis = fakeGenesis("a");
    genesis.verdict = () => new Promise(() => {});
    await using bootstrap = await master().start();
    await using one = await validator(bootstrap.peer, "a", { genesis }).start();
    await one.until(() => countOf(one, "candidateReceived") > 0);
    await bootstrap[Symbol.asyncDispose]();
    await one[Symbol.asyncDispose]();
    expect(await one.failure).toBeUndefined();
  });
});

test("a node that must not go on with a chain ends before it follows it, and reports why", async () => {
  const { master } = networkOf(f1r3node);
  const disk = new TestDisk();
  {
    await using alone = await master({ disk, required: 0 }).start();
    await alone.until(() => isRunning(alone));
  }
  const seen: Uint8Array[] = [];
  await using again = await master({
    ...{ disk, required: 0 },
    async checkChain({ hash }) {
      seen.push(hash);
      throw new Error("another token");
    },
  }).start();
  expect(await again.failure).toEqual(new Error("another token"));
  expect(seen.map(toHex)).toEqual([genesisOf(again)]);
  expect(countOf(again, "enteredRunning")).toBe(0);
});

test("a validator that cannot take part reports it at its start", async () => {
  const { master, validator, fakeGenesis } = networkOf(rnode);
  await using bootstrap = await master().start();
  const genesis = fakeGenesis();
  genesis.prepare = async () => {
    throw new Error("not bonded");
  };
  await using one = await validator(bootstrap.peer, "a", { genesis }).start();
  expect(await one.failure).toEqual(new Error("not bonded"));
});
