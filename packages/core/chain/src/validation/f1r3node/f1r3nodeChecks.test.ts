import { Block, hashKey, rnode } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { describe, expect, test } from "vitest";
import type { ChainRules } from "../../ChainRules.js";
import { EquivocationTable } from "../../equivocation/EquivocationTable.js";
import { BlockLineage } from "../../finality/f1r3node/blockLineage.js";
import { MemoryFloorCache } from "../../finality/f1r3node/FloorCache.js";
import { Floors } from "../../finality/f1r3node/Floors.js";
import { StateLineage } from "../../finality/f1r3node/StateLineage.js";
import { f1r3node0445 } from "../../ruleSets/f1r3node0445.js";
import { epochSlashing } from "../../slashing/f1r3node/epochSlashing.js";
import { type TestBlock, TestDag, testDeploy } from "../../testing/TestDag.js";
import type { F1r3nodeBlockExecution, F1r3nodeState } from "./F1r3nodeBlockExecution.js";
import { comparePreState, f1r3nodeChecks } from "./f1r3nodeChecks.js";

const rules: ChainRules = {
  dialect: rnode,
  shardName: "root",
  maximumParents: 3,
  maximumParentDepth: 4,
  minimumPhloPrice: 5n,
  faultToleranceThreshold: 0,
  finalizationRate: 1,
  emptyStateHash: new Uint8Array(32),
};

/** A DAG of blocks to judge; execution finds what is given here, or else what blocks state. */
class Scene {
  readonly made = new TestDag({ a: 10, b: 10, c: 10 });
  merged: Partial<F1r3nodeState> | Error = {};
  outcome: Awaited<ReturnType<F1r3nodeBlockExecution["replay"]>> | undefined;
  private readonly sources;

  constructor() {
    const { dag } = this.made;
    const blocks = { find: (hash: Uint8Array) => this.made.blockOf(hash) };
    const facts = new BlockLineage(blocks);
    const lineage = new StateLineage(dag, facts);
    const floors = new Floors({ dag, lineage, cache: new MemoryFloorCache(), tolerance: () => 0n });
    this.sources = { floors, lineage, slashing: epochSlashing(100n), facts };
  }

  async judge(block: Block, isAwaited = false): Promise<string> {
    const { body } = block;
    const execution: F1r3nodeBlockExecution = {
      merge: async () => {
        if (this.merged instanceof Error) throw this.merged;
        const { rejectedDeploys: records, appliedFromScope: applied = [] } = body;
        return { stateHash: body.state.preStateHash, records, applied, unslashed: [], ...this.merged };
      },
      replay: async () => this.outcome ?? { kind: "replayed", postStateHash: body.state.postStateHash },
      committee: async () => this.made.genesis.body.state.bonds,
    };
    const checks = f1r3nodeChecks({ ...this.sources, execution, ruleSet: f1r3node0445 });
    const { status } = await checks.validate(block, {
      ...{ rules, dag: this.made.dag, nowMs: 1_000_000n, isAwaited, execution: undefined as never },
      equivocations: new EquivocationTable(new MemoryStore(tablesOf("chain"))),
      yieldNow: async () => {},
    });
    return status.status === "InvalidParents" ? `${status.status} ${status.problem}` : status.status;
  }
}

/** Three rounds in which each validator in turn makes a block on the newest one. */
function rounds(scene = new Scene()) {
  const { made } = scene;
  const blocks = [made.genesis];
  const latest: Record<string, Block> = { a: made.genesis, b: made.genesis, c: made.genesis };
  for (let number = 1; number <= 9; number += 1) {
    const creator = "abc"[(number - 1) % 3]!;
    const deploys = number === 2 ? [testDeploy(2)] : [];
    const block = made.add({ creator, parents: [blocks.at(-1)!], justifications: { ...latest }, deploys });
    latest[creator] = block;
    blocks.push(block);
  }
  const make = (change: Partial<TestBlock> = {}): Block =>
    made.make({ creator: "a", parents: [blocks[9]!], justifications: { ...latest }, timestamp: 100n, ...change });
  return { scene, made, blocks, latest, make, judge: (change: Partial<TestBlock> = {}) => scene.judge(make(change)) };
}

const close = { systemDeploys: [{ kind: "closeBlock" }] } as const;

describe("a block", () => {
  const { scene, judge, make, blocks, latest } = rounds();

  test("that keeps all rules is valid, also with a price that is too low", async () => {
    expect(await judge()).toBe("Valid");
    expect(await judge({ deploys: [testDeploy(9, { validAfterBlockNumber: 1n })] })).toBe("Valid");
  });

  test("is refused by the first rule that it breaks", async () => {
    const changed = make();
    expect(await scene.judge(new Block({ ...changed, extraBytes: Uint8Array.of(1) }))).toBe("InvalidBlockHash");
    expect(await judge({ timestamp: 2_000_000n })).toBe("InvalidTimestamp");
    expect(await judge({ timestamp: 0n })).toBe("InvalidTimestamp");
    expect(await judge({ shardId: "other" })).toBe("InvalidShardId");
    expect(await judge({ deploys: [testDeploy(9, { shardId: "other" })] })).toBe("InvalidShardId");
    expect(await judge({ deploys: [testDeploy(2)] })).toBe("InvalidRepeatDeploy");
    expect(await judge({ number: 11n })).toBe("InvalidBlockNumber");
    expect(await judge({ deploys: [testDeploy(9, { validAfterBlockNumber: 10n })] })).toBe("ContainsFutureDeploy");
    expect(await judge({ deploys: [testDeploy(9, { validAfterBlockNumber: -50n })] })).toBe("ContainsExpiredDeploy");
    expect(await judge({ deploys: [testDeploy(9, { expirationTimestamp: 99n })] })).toBe("ContainsTimeExpiredDeploy");
    expect(await judge({ deploys: [testDeploy(9, { expirationTimestamp: 100n })] })).toBe("Valid");
    expect(await judge({ justifications: { a: latest["a"]!, b: latest["b"]! } })).toBe("InvalidFollows");
    expect(await judge({ sequenceNumber: 9 })).toBe("InvalidSequenceNumber");
    expect(await judge({ justifications: { ...latest, b: blocks[2]! } })).toBe("JustificationRegression");
    expect(await judge({ bonds: { a: 1, b: 10, c: 10 } })).toBe("InvalidBondsCache");
  });

  test("has a name twice among its justifications, and is refused", async () => {
    const block = make();
    const twice = [...block.justifications, block.justifications[0]!];
    expect(await scene.judge(new Block({ ...block, justifications: twice }))).toBe("InvalidFollows");
  });

  test("is of a time that only what is final decides: not of its own height", async () => {
    // The floor is at a height of about 7, so that a deploy of 44 blocks before it may still come in.
    expect(await judge({ deploys: [testDeploy(9, { validAfterBlockNumber: -42n })] })).toBe("Valid");
  });

  test("may have no more parents than allowed, none too deep, and something must happen in it", async () => {
    expect(await judge({ parents: [blocks[9]!, blocks[8]!, blocks[7]!, blocks[6]!], mergeBase: blocks[9]! })).toBe(
      "InvalidParents tooMany",
    );
    expect(await judge({ parents: [blocks[9]!, blocks[4]!], mergeBase: blocks[9]! })).toBe("InvalidParents tooDeep");
    expect(await judge({ parents: [blocks[9]!, blocks[5]!], mergeBase: blocks[9]! })).toBe("Valid");
    const again = { creator: "c", parents: [blocks[9]!] };
    expect(await judge(again)).toBe("InvalidParents noProgress");
    expect(await judge({ ...again, ...close })).toBe("Valid");
    expect(await judge({ ...again, deploys: [testDeploy(9, { validAfterBlockNumber: 1n })] })).toBe("Valid");
  });

  test("beside the creator's latest message is an equivocation", async () => {
    const beside3 = { justifications: { ...latest, a: blocks[4]! }, sequenceNumber: 3 };
    expect(await judge(beside3)).toBe("IgnorableEquivocation");
    const beside2 = { justifications: { ...latest, a: blocks[1]! }, sequenceNumber: 2 };
    expect(await judge(beside2)).toBe("IgnorableEquivocation");
    expect(await scene.judge(make(beside3), true)).toBe("AdmissibleEquivocation");
  });
});

describe("a deploy that a merge rejected", () => {
  /** Block 2 has the deploy; block `at` records that it was rejected. */
  function rejectedAt(at: number) {
    const scene = new Scene();
    const { made } = scene;
    const latest: Record<string, Block> = { a: made.genesis, b: made.genesis, c: made.genesis };
    let tip = made.genesis;
    for (let number = 1; number <= 9; number += 1) {
      const creator = "abc"[(number - 1) % 3]!;
      tip = made.add({
        ...{ creator, parents: [tip], justifications: { ...latest } },
        deploys: number === 2 ? [testDeploy(2)] : [],
        rejections: number === at ? [{ signature: testDeploy(2).signature, carrier: new Uint8Array(32) }] : [],
      });
      latest[creator] = tip;
    }
    const deploys = [testDeploy(2, { validAfterBlockNumber: 1n })];
    return scene.judge(
      made.make({ creator: "a", parents: [tip], justifications: { ...latest }, timestamp: 100n, deploys }),
    );
  }

  test("may come again when its rejection is final, and not before", async () => {
    expect(await rejectedAt(3)).toBe("Valid");
    expect(await rejectedAt(9)).toBe("PrematureDeployRetry");
    expect(await rejectedAt(1)).toBe("InvalidRepeatDeploy");
  });
});

describe("what a block begins with", () => {
  const { scene, made, blocks, latest, make } = rounds();
  const side = made.add({
    creator: "b",
    parents: [blocks[8]!],
    justifications: { ...latest },
    deploys: [testDeploy(7)],
  });
  const merging = (change: Partial<TestBlock> = {}): Block =>
    make({ parents: [blocks[9]!, side], justifications: { ...latest, b: side }, mergeBase: blocks[9]!, ...change });

  test("must be what the merge of its parents leads to, in all that it states", async () => {
    expect(await scene.judge(merging())).toBe("Valid");
    scene.merged = { stateHash: new Uint8Array(32).fill(1) };
    expect(await scene.judge(merging())).toBe("InvalidTransaction");
    scene.merged = { applied: [testDeploy(7).signature] };
    expect(await scene.judge(merging())).toBe("InvalidRejectedDeploy");
    scene.merged = { records: [{ signature: testDeploy(7).signature, duplicate: false, carrier: side.hash }] };
    expect(await scene.judge(merging())).toBe("InvalidRejectedDeploy");
    scene.merged = {};
    expect(await scene.judge(merging({ mergeBase: side }))).toBe("InvalidRejectedDeploy");
  });

  test("must not lack what is final", async () => {
    scene.merged = { records: [{ signature: testDeploy(2).signature, duplicate: false, carrier: side.hash }] };
    expect(await scene.judge(merging())).toBe("InvalidTransaction");
    scene.merged = {};
  });

  test("an execution that fails is a wrong block, a limit or a failure of this machine is none", async () => {
    scene.outcome = { kind: "failed", message: "cost" };
    expect(await scene.judge(make())).toBe("InvalidTransaction");
    scene.outcome = { kind: "exception", message: "refund" };
    expect(await scene.judge(make())).toBe("InvalidTransaction");
    scene.outcome = { kind: "exception", message: "memory", isLimit: true };
    expect(await scene.judge(make())).toBe("BlockException");
    scene.outcome = { kind: "replayed", postStateHash: new Uint8Array(32).fill(9) };
    expect(await scene.judge(make())).toBe("InvalidTransaction");
    scene.outcome = undefined;
    scene.merged = new TypeError("disk");
    expect(await scene.judge(merging())).toBe("BlockException");
    scene.merged = {};
  });

  test("records are compared with their flag and carrier", () => {
    const records = [{ signature: testDeploy(1).signature, duplicate: true, carrier: side.hash }];
    const block = make({ rejections: records });
    const found = { stateHash: new Uint8Array(32), records, applied: [], unslashed: [], mergeBase: undefined };
    expect(comparePreState(block, found)).toBeUndefined();
    const other = [{ ...records[0]!, duplicate: false }];
    expect(comparePreState(block, { ...found, records: other })?.status).toBe("InvalidRejectedDeploy");
    expect(hashKey(records[0]!.carrier)).toBe(hashKey(side.hash));
  });
});

test("what is slashable, and what is an equivocation", () => {
  const checks = f1r3nodeChecks(undefined as never);
  const first = rounds().blocks[1]!;
  const isBoth = (status: Parameters<typeof checks.isSlashable>[0], block = rounds().blocks[9]!) => [
    checks.isSlashable(status),
    checks.isEquivocation(status, block),
  ];
  const ignorable = {
    status: "IgnorableEquivocation",
    creatorJustification: undefined,
    latestMessage: undefined,
  } as const;
  expect(isBoth(ignorable)).toEqual([true, true]);
  expect(isBoth({ status: "InvalidBondsCache" })).toEqual([true, true]);
  expect(isBoth({ status: "InvalidRejectedDeploy", computed: [] })).toEqual([false, false]);
  expect(isBoth({ status: "PrematureDeployRetry", deploy: testDeploy(1), rejectedIn: undefined })).toEqual([
    false,
    false,
  ]);
  expect(first.sequenceNumber).toBe(1);
  expect(isBoth(ignorable, new Block({ ...first, sequenceNumber: 0 }))).toEqual([true, false]);
});
