import type { BlockInfo, LightBlockInfo } from "@vedette/api/grpc";
import { compile } from "@vedette/rholang";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ChainFollower, type FollowedNode } from "./ChainFollower.js";
import { DeployLedger } from "./DeployLedger.js";
import { isSound, type LoadReport, printReport, reportJson } from "./LoadReport.js";
import { type LoadShape, loadSchedule } from "./loadSchedule.js";
import { callTerm, contractTerm, sumTerm } from "./loadTerms.js";
import { percentilesOf } from "./percentiles.js";

const shape: LoadShape = {
  seed: 7,
  transfersPerSecond: 3,
  callsPerSecond: 1,
  durationMs: 60_000,
  wallets: 4,
  validators: 3,
  cells: 16,
};

describe("the schedule", () => {
  test("the same seed makes the same load, another seed another", () => {
    const first = [...loadSchedule(shape)];
    expect([...loadSchedule(shape)]).toEqual(first);
    expect([...loadSchedule({ ...shape, seed: 8 })]).not.toEqual(first);
  });

  test("the rate is kept, kinds are mixed by their shares, validators take turns, time goes on", () => {
    const actions = [...loadSchedule({ ...shape, durationMs: 1_000_000 })];
    expect(actions.length).toBeGreaterThanOrEqual(3_999);
    expect(actions.length).toBeLessThanOrEqual(4_000);
    const transfers = actions.filter(({ kind }) => kind === "transfer").length;
    expect(transfers / actions.length).toBeCloseTo(0.75, 1);
    expect(actions.map(({ validator }) => validator).slice(0, 4)).toEqual([0, 1, 2, 0]);
    for (const [at, { atMs }] of actions.entries()) expect(atMs).toBeGreaterThanOrEqual(actions[at - 1]?.atMs ?? 0);
  });

  test("every action is one that can be sent", () => {
    const anyShape = fc.record({
      seed: fc.integer(),
      transfersPerSecond: fc.double({ min: 0, max: 50, noNaN: true }),
      callsPerSecond: fc.double({ min: 0, max: 50, noNaN: true }),
      durationMs: fc.integer({ min: 0, max: 5_000 }),
      wallets: fc.integer({ min: 1, max: 5 }),
      validators: fc.integer({ min: 1, max: 5 }),
      cells: fc.integer({ min: 1, max: 20 }),
    });
    fc.assert(
      fc.property(anyShape, (given) => {
        for (const action of loadSchedule(given)) {
          expect(action.wallet).toBeLessThan(given.wallets);
          expect(action.validator).toBeLessThan(given.validators);
          expect(action.atMs).toBeLessThan(given.durationMs);
          expect(action.amount).toBeGreaterThan(0);
          if (action.kind === "call") expect(action.cell).toBeLessThan(given.cells);
          else if (given.wallets > 1) expect(action.toWallet).not.toBe(action.wallet);
        }
      }),
    );
  });
});

test("the programs of a load can be compiled", () => {
  for (const term of [contractTerm("7xabc", 16), callTerm("7xabc", 3, 99), sumTerm("7xabc", 16)])
    expect(() => compile(term)).not.toThrow();
});

test("percentiles are times that were measured", () => {
  expect(percentilesOf([])).toBeUndefined();
  expect(percentilesOf([5])).toEqual({ count: 1, p50Ms: 5, p95Ms: 5, maxMs: 5 });
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(percentilesOf(hundred)).toEqual({ count: 100, p50Ms: 50, p95Ms: 95, maxMs: 100 });
});

const deploy = (sig: string, cost = 10n, errored = false) => ({
  sig,
  deployer: "wallet",
  cost,
  phloPrice: 1n,
  errored,
});

/** A chain that a test makes up. */
class FakeNode implements FollowedNode {
  readonly #blocks = new Map<string, BlockInfo>();
  finalized = "b0";

  add(
    hash: string,
    number: number,
    parents: string[],
    deploys: ReturnType<typeof deploy>[] = [],
    rejected: string[] = [],
  ): void {
    const rejectedDeploys = rejected.map((sig) => ({ sig }));
    const place = { blockHash: hash, blockNumber: BigInt(number), parentsHashList: parents };
    const blockInfo = { ...place, rejectedDeploys } as unknown as LightBlockInfo;
    this.#blocks.set(hash, { blockInfo, deploys } as unknown as BlockInfo);
  }

  async block(hash: string): Promise<BlockInfo> {
    return this.#blocks.get(hash)!;
  }

  async blocks(): Promise<LightBlockInfo[]> {
    return [...this.#blocks.values()].map(({ blockInfo }) => blockInfo!).reverse();
  }

  lastFinalizedBlock(): Promise<BlockInfo> {
    return this.block(this.finalized);
  }

  async latestBlock(): Promise<LightBlockInfo> {
    return (await this.blocks())[0]!;
  }
}

test("deploys are included with their block and final with a descendant of it; what was before does not count", async () => {
  const node = new FakeNode();
  node.add("a", 0, [], [deploy("old")]);
  node.add("b0", 1, ["a"], [deploy("old too")]);
  const ledger = new DeployLedger(new Set(["wallet"]));
  const follower = new ChainFollower(node, ledger, async () => 0);
  await follower.begin();
  for (const [id, adds] of [
    ["one", 5],
    ["two", 7],
    ["three", 0],
    ["lost", 0],
  ] as const)
    ledger.accepted(id, adds, 1_000);
  node.add("b1", 2, ["b0"], [deploy("one")]);
  node.add("c1", 2, ["b0"], [deploy("lost")]);
  node.add("b2", 3, ["b1"], [deploy("two", 20n, true)]);
  await follower.look(() => 2_000);
  expect(ledger.totals()).toMatchObject({ submitted: 4, included: 3, finalized: 0 });
  node.add("b3", 4, ["b2"], [deploy("three"), { ...deploy("a stranger's", 100n), deployer: "stranger" }]);
  node.finalized = "b3";
  await follower.look(() => 3_000);
  expect(ledger.totals()).toEqual({
    submitted: 4,
    included: 4,
    finalized: 3,
    rejected: 0,
    errored: 1,
    toIncluded: { count: 4, p50Ms: 1_000, p95Ms: 2_000, maxMs: 2_000 },
    toFinalized: { count: 3, p50Ms: 2_000, p95Ms: 2_000, maxMs: 2_000 },
  });
  expect([ledger.waiting, ledger.fees, ledger.finalizedSum]).toEqual([1, 40n, 5n]);
  expect([follower.height, follower.finalizedNumber, follower.finalizedHash]).toEqual([4, 4, "b3"]);
});

test("a merged block becomes final with the block that merges it, once", async () => {
  const node = new FakeNode();
  node.add("b0", 1, []);
  const ledger = new DeployLedger(new Set(["wallet"]));
  const follower = new ChainFollower(node, ledger, async () => 0);
  await follower.begin();
  node.add("b1", 2, ["b0"], [deploy("one")]);
  node.add("c1", 2, ["b0"], [deploy("two")]);
  node.add("b2", 3, ["b1", "c1"]);
  node.finalized = "b1";
  await follower.look(() => 1);
  expect(ledger.fees).toBe(10n);
  node.finalized = "b2";
  await follower.look(() => 2);
  await follower.look(() => 3);
  expect(ledger.fees).toBe(20n);
});

test("a deploy that a merge gives up is neither final nor paid, as long as the node reports it", async () => {
  const node = new FakeNode();
  node.add("b0", 1, []);
  const ledger = new DeployLedger(new Set(["wallet"]));
  let rejections = 1;
  const follower = new ChainFollower(node, ledger, async (id) => (id === "two" ? rejections : 0));
  await follower.begin();
  ledger.accepted("one", 5, 0);
  ledger.accepted("two", 7, 0);
  node.add("b1", 2, ["b0"], [deploy("one")]);
  node.add("c1", 2, ["b0"], [deploy("two")]);
  node.add("b2", 3, ["b1", "c1"], [], ["two"]);
  node.finalized = "b2";
  await follower.look(() => 1);
  expect(ledger.totals()).toMatchObject({ finalized: 1, rejected: 1 });
  expect([ledger.waiting, ledger.fees, ledger.finalizedSum]).toEqual([0, 10n, 5n]);
  rejections = 0;
  node.add("b3", 4, ["b2"]);
  node.finalized = "b3";
  await follower.look(() => 2);
  expect(ledger.totals()).toMatchObject({ finalized: 2, rejected: 0 });
  expect([ledger.fees, ledger.finalizedSum]).toEqual([20n, 12n]);
});

describe("the report", () => {
  const sound: LoadReport = {
    seed: 7,
    durationMs: 61_000,
    totals: {
      submitted: 2,
      included: 2,
      finalized: 2,
      rejected: 0,
      errored: 0,
      toIncluded: { count: 2, p50Ms: 1_500, p95Ms: 2_500, maxMs: 2_500 },
      toFinalized: undefined,
    },
    errors: {},
    nodes: [
      {
        name: "observer",
        height: 9,
        finalized: 7,
        maxBehind: 1,
        memoryAfterWarmUp: 200 << 20,
        memoryNow: 210 << 20,
        silences: 0,
      },
    ],
    firstBlock: 3,
    lastBlock: 7,
    fees: 123n,
    imbalances: [],
  };

  test("in words, and as JSON", () => {
    expect(printReport(sound)).toMatchInlineSnapshot(`
      "Seed 7, 61 s, finalized blocks 3 to 7
      Deploys: 2 submitted, 2 included, 2 finalized, 0 rejected by merges, 0 failed
      From deploy to included:  half within 1.5 s, 95 of 100 within 2.5 s, all within 2.5 s
      From deploy to finalized: –
      Fees: 123
      observer    block 9, final 7, at most 1 behind, memory 200 MB → 210 MB
      Errors: none
      Books: every coin and every call is where it should be"
    `);
    expect(JSON.parse(JSON.stringify(reportJson(sound)))).toMatchObject({ fees: "123", isSound: true });
  });

  test("anything that went wrong makes it unsound", () => {
    const totals = sound.totals;
    expect(isSound(sound)).toBe(true);
    expect(isSound({ ...sound, errors: { "no answer": 1 } })).toBe(false);
    expect(isSound({ ...sound, imbalances: ["a coin is missing"] })).toBe(false);
    expect(isSound({ ...sound, totals: { ...totals, errored: 1 } })).toBe(false);
    expect(isSound({ ...sound, totals: { ...totals, finalized: 1 } })).toBe(false);
    const text = printReport({ ...sound, errors: { "no answer": 2 }, imbalances: ["a coin is missing"] });
    expect(text).toContain("  2 × no answer");
    expect(text).toContain("  a coin is missing");
  });
});
