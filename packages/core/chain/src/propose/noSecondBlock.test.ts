import { toHex } from "@vedette/crypto";
import { Block, signBlock } from "@vedette/protocol";
import {
  MemoryStore,
  type ReadableTable,
  type Store,
  StoreError,
  type TableName,
  tablesOf,
  type WritableTables,
} from "@vedette/store";
import { describe, expect, test } from "vitest";
import type { FakeExecution } from "../testing/FakeExecution.js";
import { TestValidator, type TestValidatorOptions, testGenesis, testKey } from "../testing/ProposeNetwork.js";

/** A store of a process that is killed at one of its writes, before or after the transaction. */
class MortalStore implements Store {
  readonly #inner: Store;
  #kill: "before" | "after" | undefined;
  #error: Error | undefined;
  #isTogether = false;

  constructor(inner: Store) {
    this.#inner = inner;
  }

  /** @param error the error of each write; left out: the moment of the kill */
  killAtNextWrite(moment: "before" | "after" | undefined, error?: Error): void {
    this.#kill = moment;
    this.#error = error;
  }

  table(name: TableName): ReadableTable {
    return this.#inner.table(name);
  }

  write(work: (tables: WritableTables) => void): void {
    if (this.#kill === "before") throw this.#error ?? new Error("killed before the write");
    this.#inner.write(work);
    if (this.#kill === "after" && !this.#isTogether) throw this.#error ?? new Error("killed after the write");
  }

  together<Result>(work: () => Result): Result {
    this.#isTogether = true;
    try {
      const result = this.#inner.together(work);
      if (this.#kill === "after") throw this.#error ?? new Error("killed after the transaction");
      return result;
    } finally {
      this.#isTogether = false;
    }
  }

  sync(): Promise<void> {
    return this.#inner.sync();
  }

  async close(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {}
}

const genesis = testGenesis({ v1: 10, v2: 10 });

/** The places at which a process can end while it makes a block. */
const moments = ["play", "replay", "write", "written", "reported", "announce"] as const;

/** The remains of a process, and the blocks that others know of it. */
interface Life {
  readonly disk: MemoryStore;
  readonly execution: FakeExecution;
  readonly announced: Block[];
}

/** Starts a validator on what the disk has, and kills it at a moment of its next block. */
async function liveAndDie({ disk, execution, announced }: Life, moment: (typeof moments)[number]): Promise<void> {
  const store = new MortalStore(disk);
  const killed = (): never => {
    throw new Error(`killed at ${moment}`);
  };
  const proposer: TestValidatorOptions["proposer"] = {
    announce: (block) => (moment === "announce" ? killed() : announced.push(block)),
    emit: ({ type }) => (type === "blockCreated" && moment === "reported" ? killed() : undefined),
  };
  const v1 = new TestValidator("v1", genesis, { store, execution, proposer });
  v1.deploy();
  v1.execution.pause = async (step) => {
    if (step === moment) killed();
    if (step === "replay" && moment === "write") store.killAtNextWrite("before");
    if (step === "replay" && moment === "written") store.killAtNextWrite("after");
  };
  expect(await v1.status(), moment).toBe("BugError");
  // Even if the process lives on, nothing more comes of it.
  v1.execution.pause = async () => undefined;
  if (moment !== "play" && moment !== "replay" && moment !== "announce") {
    expect(await v1.status(), moment).toMatch(/NotSynchronized|BugError/);
  }
}

function blocksOf(store: MemoryStore): Block[] {
  const { chain } = new TestValidator("v1", genesis, { store });
  return [...chain.dag.blocksByHeight(1n, 1000n)].map(({ hash }) => chain.blocks.find(hash)!);
}

/** Whatever peers may ever see: what was announced, and what the node has and serves. */
function checkNoTwins(blocks: readonly Block[]): number {
  const hashes = new Map<number, string>();
  for (const { sequenceNumber, hash } of blocks) {
    const name = toHex(hash);
    expect(hashes.get(sequenceNumber) ?? name).toBe(name);
    hashes.set(sequenceNumber, name);
  }
  return hashes.size;
}

describe("no sequence number is used twice", () => {
  test("wherever the process is killed while it makes a block, again and again", async () => {
    for (const first of moments) {
      for (const second of moments) {
        const life: Life = {
          disk: new MemoryStore(tablesOf("chain")),
          execution: new TestValidator("v1", genesis).execution,
          announced: [],
        };
        const { disk, execution, announced } = life;
        const healthy = async (): Promise<void> => {
          const v1 = new TestValidator("v1", genesis, {
            ...{ store: disk, execution },
            proposer: { announce: (block) => announced.push(block) },
          });
          v1.deploy();
          await v1.make();
        };
        await healthy();
        await liveAndDie(life, first);
        await liveAndDie(life, second);
        await healthy();
        const seen = checkNoTwins([...announced, ...blocksOf(disk)]);
        expect(seen).toBeGreaterThanOrEqual(2);
        // No block was announced that the node does not have.
        for (const { hash } of announced)
          expect(new TestValidator("v1", genesis, { store: disk }).chain.dag.has(hash)).toBe(true);
      }
    }
  });

  test("by a validator that goes on after its disk was full, before or after the block was stored", async () => {
    const store = new MortalStore(new MemoryStore(tablesOf("chain")));
    const announced: Block[] = [];
    const proposer = { announce: (block: Block) => void announced.push(block) };
    const v1 = new TestValidator("v1", genesis, { store, proposer });
    let moment: "before" | "after" | undefined = "before";
    v1.execution.pause = async (step) => {
      if (step === "replay") store.killAtNextWrite(moment, new StoreError({ code: "full", path: "data" }));
    };
    v1.deploy();
    expect([await v1.status(), announced]).toEqual(["BugError", []]);
    moment = undefined;
    store.killAtNextWrite(undefined);
    expect((await v1.make()).sequenceNumber).toBe(1);
    expect(announced.map(({ sequenceNumber }) => sequenceNumber)).toEqual([1]);

    moment = "after";
    v1.deploy();
    expect(await v1.status()).toBe("BugError");
    moment = undefined;
    store.killAtNextWrite(undefined);
    expect(announced.map(({ sequenceNumber }) => sequenceNumber)).toEqual([1, 2]);
    v1.deploy();
    expect((await v1.make()).sequenceNumber).toBe(3);
  });

  test("after a lost data directory the own blocks come back first", async () => {
    const old = new TestValidator("v1", genesis);
    const blocks = [];
    for (let made = 0; made < 3; made += 1) {
      old.deploy();
      blocks.push(await old.make());
    }
    let reason: string | undefined = "not synchronized";
    const fresh = new TestValidator("v1", genesis, { proposer: { whyNotYet: () => reason } });
    fresh.deploy();
    expect(await fresh.status()).toBe("NotSynchronized");
    expect(await fresh.take(...blocks)).toEqual(["Valid", "Valid", "Valid"]);
    expect(fresh.eventsOf("ownBlockRecovered").map(({ block }) => block.sequenceNumber)).toEqual([1, 2, 3]);
    reason = undefined;
    expect((await fresh.make()).sequenceNumber).toBe(4);
    expect(fresh.eventsOf("ownKeyElsewhere")).toEqual([]);
  });

  test("a chain that was begun anew waits for the last own block", async () => {
    const v1 = new TestValidator("v1", genesis);
    const block = await v1.make();
    v1.store.write((tables) => {
      for (const name of ["blockMetadata", "latestMessages", "childBlocks", "blocksByHeight", "lastFinalized"] as const)
        for (const [key] of [...tables(name).range()]) tables(name).delete(key);
    });
    const anew = new TestValidator("v1", genesis, { store: v1.store, execution: v1.execution });
    anew.deploy();
    expect(await anew.proposer.propose()).toMatchObject({ status: "NotSynchronized", sequenceNumber: 1 });
    expect(await anew.take(block)).toEqual(["Valid"]);
    expect((await anew.make()).sequenceNumber).toBe(2);
  });

  test("a second validator with the same key ends the proposing of the first", async () => {
    const one = new TestValidator("v1", genesis);
    const other = new TestValidator("v1", genesis);
    one.deploy();
    other.deploy();
    const ours = await one.make();
    const theirs = await other.make();
    expect(await one.take(theirs)).toEqual(["IgnorableEquivocation"]);
    expect(one.eventsOf("ownKeyElsewhere").map(({ hash }) => toHex(hash))).toEqual([toHex(theirs.hash)]);
    one.deploy();
    expect(await one.proposer.propose()).toMatchObject({
      status: "NotSynchronized",
      reason: expect.stringMatching(/a second validator with the same key seems to run; stop one of them/),
    });
    // Its next block is valid on top of ours; but it was not made here.
    const third = new TestValidator("v1", genesis);
    expect(await third.take(ours)).toEqual(["Valid"]);
    third.deploy();
    const next = await third.make();
    const again = new TestValidator("v1", genesis);
    expect(await again.take(ours)).toEqual(["Valid"]);
    again.deploy();
    await again.make();
    again.deploy();
    await again.take(next);
    expect(await again.status()).toBe("NotSynchronized");
  });

  test("what only seems to be signed by our key does no harm", async () => {
    const v1 = new TestValidator("v1", genesis);
    const block = await v1.make();
    const forged = new Block({ ...signBlock({ ...block, shardId: "other" }, testKey("v2"), v1.chain.rules.dialect) });
    const named = new Block({ ...forged, sender: block.sender });
    v1.proposer.onChainEvent({
      type: "blockRefused",
      block: named,
      status: { status: "IgnorableEquivocation", creatorJustification: undefined, latestMessage: undefined },
      recorded: false,
    });
    v1.deploy();
    expect(await v1.status()).toBe("Success");
  });
});
