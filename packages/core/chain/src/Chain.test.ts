import { toHex } from "@vedette/crypto";
import { Block, rnode } from "@vedette/protocol";
import { describe, expect, test } from "vitest";
import { Chain } from "./Chain.js";
import type { ChainEvent } from "./ChainEvent.js";
import type { ChainOptions } from "./ChainOptions.js";
import { type TestBlock, TestDag, testDeploy, validatorKey } from "./testing/TestDag.js";
import type { BlockExecution, ReplayOutcome, ReplayRequest } from "./validation/BlockExecution.js";

const stakes = { v1: 10, v2: 20, v3: 30 };

/** Returns the outcome that a test sets, and records the requests. */
class TestExecution implements BlockExecution {
  readonly asked: ReplayRequest[] = [];
  outcome: ReplayOutcome | undefined;
  bondsAfter: Block["body"]["state"]["bonds"] | undefined;
  async parentsPostState(block: Block) {
    return { stateHash: block.body.state.preStateHash, rejectedDeploys: [] };
  }
  async replay(request: ReplayRequest): Promise<ReplayOutcome> {
    this.asked.push(request);
    return this.outcome ?? { kind: "replayed", postStateHash: request.block.body.state.postStateHash };
  }
  async bonds() {
    return this.bondsAfter ?? this.asked.at(-1)?.block.body.state.bonds ?? [];
  }
}

/** A chain on the same store as a DAG of made-up blocks, which makes blocks for it. */
function testChain(options: Partial<ChainOptions> = {}) {
  const made = new TestDag(stakes);
  const execution = new TestExecution();
  const events: ChainEvent[] = [];
  const open = () =>
    new Chain({
      store: made.store,
      rules: {
        dialect: rnode,
        shardName: "root",
        maximumParents: 2147483647,
        maximumParentDepth: undefined,
        minimumPhloPrice: 1n,
        faultToleranceThreshold: 0.9,
        finalizationRate: 1,
        emptyStateHash: new Uint8Array(32),
      },
      execution,
      nowMs: () => 1_000_000,
      emit: (event) => events.push(event),
      ...options,
    });
  const chain = open();
  let deploys = 0;
  const make = (facts: TestBlock): Block => made.make({ deploys: [testDeploy((deploys += 1))], ...facts });
  const process = async (block: Block, isAwaited = false) => {
    const { status, inserted } = await chain.process(block, isAwaited);
    return `${status.status}${inserted ? "" : ", not inserted"}`;
  };
  return { chain, open, make, process, execution, events, g: made.genesis };
}

const knows = (v1: Block, v2: Block, v3: Block) => ({ v1, v2, v3 });

describe("a chain", () => {
  test("takes valid blocks, finalizes, and is the same when opened again", async () => {
    const { make, process, open, events, g } = testChain();
    const latest = { v1: g, v2: g, v3: g };
    let tip = g;
    for (let round = 0; round < 3; round += 1) {
      for (const creator of ["v1", "v2", "v3"] as const) {
        tip = make({ creator, parents: [tip], justifications: { ...latest } });
        latest[creator] = tip;
        expect(await process(tip)).toBe("Valid");
      }
    }
    expect(await process(tip)).toBe("Valid");
    const again = open();
    expect(again.dag.latestMessages().map(({ hash }) => toHex(hash))).toEqual(
      [latest.v1, latest.v2, latest.v3].map(({ hash }) => toHex(hash)),
    );
    const final = again.dag.lastFinalized();
    expect(final?.number).toBe(5n);
    expect(final?.directlyFinalized).toBe(true);
    expect(again.blocks.find(tip.hash)?.number).toBe(9n);
    expect(again.dag.nextBlockNumber()).toBe(10n);
    expect([...again.dag.blocksByHeight(8n, 100n)].map(({ height }) => height)).toEqual([8n, 9n]);
    const finalized = events.flatMap((event) => (event.type === "blockFinalized" ? [event.block.number] : []));
    expect(finalized).toEqual([1n, 2n, 3n, 4n, 5n]);
  });

  test("begins anew with an imported state, in one transaction", async () => {
    const { chain, open, make, process, g } = testChain();
    const old = make({ creator: "v1", parents: [g], justifications: knows(g, g, g) });
    await process(old);
    const low = make({ creator: "v2", parents: [g], justifications: knows(g, g, g), number: 98n });
    const bad = make({ creator: "v3", parents: [low], justifications: knows(g, low, g) });
    const first = make({ creator: "v1", parents: [low], justifications: knows(g, low, bad), sequenceNumber: 40 });
    chain.blocks.put(low);
    const approved = { candidate: { block: first, requiredSignatures: 0 }, signatures: [] };
    const others = [
      { hash: bad.hash, isInvalid: true },
      { hash: low.hash, isInvalid: false },
    ];
    expect(() => chain.adoptImported(approved, others)).toThrow(/is not in the DAG/);
    expect(chain.dag.has(old.hash)).toBe(true);
    expect(chain.dag.latestMessages().map(({ hash }) => toHex(hash))).toEqual(
      [old, g, g].map(({ hash }) => toHex(hash)),
    );
    chain.blocks.put(bad);
    chain.adoptImported(approved, others);
    for (const { dag, blocks } of [chain, open()]) {
      expect(dag.has(old.hash)).toBe(false);
      expect(dag.lastFinalized()?.hash).toEqual(first.hash);
      expect(dag.approvedBlock()?.hash).toEqual(first.hash);
      expect(dag.invalidBlocks().map(({ hash }) => hash)).toEqual([bad.hash]);
      expect(dag.latestMessages().map(({ hash }) => toHex(hash))).toEqual(
        [first, low, bad].map(({ hash }) => toHex(hash)),
      );
      expect(blocks.approvedBlock()?.candidate.block.hash).toEqual(first.hash);
      expect(dag.children(low.hash).length).toBe(2);
    }
    // Final everywhere; of other blocks below the first it is not known.
    for (const below of [g, old]) expect(await chain.admitSettled(below)).toBe(true);
    expect([g, old].map(({ hash }) => chain.dag.require(hash).finalized)).toEqual([true, false]);
    expect(chain.dag.lastFinalized()?.hash).toEqual(first.hash);
  });

  test("begins with a genesis that executes to what it states", async () => {
    const { chain, execution, make, g } = testChain();
    const genesis = make({ creator: "", parents: [], justifications: {}, number: 0n, sequenceNumber: 0 });
    const approved = { candidate: { block: genesis, requiredSignatures: 0 }, signatures: [] };
    execution.outcome = { kind: "failed", message: "cost" };
    expect((await chain.adoptGenesis(approved))?.status).toBe("InvalidTransaction");
    expect(chain.dag.has(g.hash)).toBe(true);
    execution.outcome = undefined;
    expect(await chain.adoptGenesis(approved)).toBeUndefined();
    expect(chain.dag.has(g.hash)).toBe(false);
    expect(chain.dag.lastFinalized()?.hash).toEqual(genesis.hash);
  });

  test("names what it waits for", () => {
    const { chain, make, g } = testChain();
    const unknown = make({ creator: "v2", parents: [g], justifications: knows(g, g, g) });
    const block = make({ creator: "v1", parents: [g, unknown], justifications: knows(g, unknown, g) });
    expect(chain.missingDependencies(block)).toEqual([unknown.hash]);
  });

  test("the first check that fails decides", async () => {
    const { make, process, execution, g } = testChain();
    const facts = { creator: "v1", parents: [g], justifications: knows(g, g, g) };
    const future = testDeploy(200, { validAfterBlockNumber: 5n });
    expect(await process(make({ ...facts, timestamp: 2_000_000n, shardId: "x" }))).toBe(
      "InvalidTimestamp, not inserted",
    );
    expect(await process(make({ ...facts, shardId: "x", number: 7n }))).toBe("InvalidShardId");
    expect(await process(make({ ...facts, deploys: [testDeploy(9, { shardId: "" })], number: 7n }))).toBe(
      "InvalidShardId",
    );
    expect(await process(make({ ...facts, number: 7n, deploys: [future] }))).toBe("InvalidBlockNumber");
    expect(execution.asked.length).toBe(0);
  });

  test("an exception of the execution drops the block, a wrong result records it", async () => {
    const { chain, make, process, execution, g } = testChain();
    const facts = { creator: "v1", parents: [g], justifications: knows(g, g, g) };
    const block = make(facts);
    execution.outcome = { kind: "exception", message: "no memory" };
    expect(await process(block)).toBe("BlockException, not inserted");
    execution.outcome = undefined;
    execution.replay = async () => Promise.reject(new Error("the executor is gone"));
    expect(await process(block)).toBe("BlockException, not inserted");
    execution.replay = async () => ({ kind: "failed", message: "cost" });
    expect(await process(block)).toBe("InvalidTransaction");
    expect(chain.dag.invalidBlocks().map(({ hash }) => hash)).toEqual([block.hash]);
    const wrongStart = make({ ...facts, creator: "v2", preState: new Uint8Array(32).fill(1) });
    expect(await process(wrongStart)).toBe("InvalidTransaction");
    const rejecting = make({ ...facts, creator: "v3", rejectedDeploys: [new Uint8Array(1)] });
    expect(await process(rejecting)).toBe("InvalidRejectedDeploy, not inserted");
  });

  test("bonds that the contract does not confirm are invalid", async () => {
    const { make, process, execution, g } = testChain();
    execution.bondsAfter = [{ validator: validatorKey("v1"), stake: 1n }];
    expect(await process(make({ creator: "v1", parents: [g], justifications: knows(g, g, g) }))).toBe(
      "InvalidBondsCache",
    );
  });

  test("a cheap deploy's block is dropped", async () => {
    const { make, process, g } = testChain();
    const deploys = [testDeploy(99, { phloPrice: 0n })];
    const block = make({ creator: "v1", parents: [g], justifications: knows(g, g, g), deploys });
    expect(await process(block)).toBe("LowDeployCost, not inserted");
  });

  test("a block with another hash than its content's is recorded only where the chain goes on from it", async () => {
    const { make, process, g } = testChain();
    const block = make({ creator: "v1", parents: [g], justifications: knows(g, g, g) });
    const changed = new Block({ ...block, shardId: "other" });
    expect(await process(changed)).toBe("InvalidBlockHash, not inserted");
    expect(await process(block)).toBe("Valid");
    const next = make({ creator: "v2", parents: [g], justifications: knows(g, g, g) });
    expect(await process(new Block({ ...next, shardId: "other" }), true)).toBe("InvalidBlockHash");
  });

  test("equivocations: ignored, admitted when another validator builds on them, and then not to be neglected", async () => {
    const { chain, make, process, execution, g } = testChain();
    const first = make({ creator: "v1", parents: [g], justifications: knows(g, g, g) });
    const twin = make({ creator: "v1", parents: [g], justifications: knows(g, g, g) });
    expect(await process(first)).toBe("Valid");
    expect(await process(twin)).toBe("IgnorableEquivocation, not inserted");
    expect(await process(twin, true)).toBe("AdmissibleEquivocation");
    expect(chain.equivocations.records().map(({ baseSequenceNumber }) => baseSequenceNumber)).toEqual([0]);
    expect(toHex(chain.dag.latestMessages()[0]?.hash ?? g.hash)).toBe(toHex(twin.hash));

    const neglects = make({ creator: "v2", parents: [first], justifications: knows(twin, g, g) });
    expect(await process(neglects)).toBe("NeglectedInvalidBlock, not inserted");
    const oblivious = make({ creator: "v3", parents: [first], justifications: knows(first, g, g) });
    expect(await process(oblivious)).toBe("Valid");

    const slashed = { v1: 0, v2: 20, v3: 30 };
    const slashes = make({
      creator: "v3",
      parents: [oblivious],
      justifications: knows(twin, g, oblivious),
      bonds: slashed,
    });
    expect(await process(slashes)).toBe("Valid");
    const [record] = chain.equivocations.records();
    expect(record !== undefined && chain.equivocations.isDetectedIn(record, slashes.hash)).toBe(true);
    expect(
      execution.asked
        .at(-1)
        ?.invalidBlocks.map(({ hash }) => toHex(hash))
        .sort(),
    ).toEqual([toHex(twin.hash)]);
  });

  test("an equivocation that the justifications show must be slashed", async () => {
    const { make, process, open, g } = testChain();
    const left = make({ creator: "v1", parents: [g], justifications: knows(g, g, g) });
    const right = make({ creator: "v1", parents: [g], justifications: knows(g, g, g) });
    await process(left);
    const sawLeft = make({ creator: "v2", parents: [left], justifications: knows(left, g, g) });
    expect(await process(sawLeft)).toBe("Valid");
    expect(await process(right, true)).toBe("AdmissibleEquivocation");
    const sawRight = make({
      creator: "v3",
      parents: [g],
      justifications: knows(right, g, g),
      bonds: { ...stakes, v1: 0 },
    });
    expect(await process(sawRight)).toBe("Valid");
    // Knows left through v2 and names v3's block, which is known to have taken notice.
    const neglects = make({ creator: "v2", parents: [sawLeft], justifications: knows(left, sawLeft, sawRight) });
    expect(await process(neglects)).toBe("NeglectedEquivocation, not inserted");
    expect(await process(neglects, true)).toBe("NeglectedEquivocation");
    expect(open().equivocations.records().length).toBe(1);
  });

  test("strangers' invalid blocks are recorded where others refer to them, and that up to a bound", async () => {
    const { chain, make, g } = testChain({ invalidBounds: { ofValidator: 20, ofOthers: 20 } });
    for (let i = 0; i < 25; i += 1) {
      const block = make({ creator: `x${i}`, parents: [g], justifications: knows(g, g, g), shardId: "x", deploys: [] });
      expect((await chain.process(block, false)).inserted).toBe(false);
      expect(chain.dag.has(block.hash)).toBe(false);
      await chain.process(block, true);
    }
    expect(chain.dag.invalidBlocks().length).toBe(20);
    const bonded = make({ creator: "v1", parents: [g], justifications: knows(g, g, g), shardId: "x" });
    expect((await chain.process(bonded, false)).inserted).toBe(true);
  });
});
