import { toHex } from "@vedette/crypto";
import { Block, encodeBlock, rnode } from "@vedette/protocol";
import { MemoryStore, type Store } from "@vedette/store";
import { describe, expect, test } from "vitest";
import type { BlockOutcome, BlockProcessorPort, BlockStoreView, BlockToProcess, DagView } from "../ports/ChainPort.js";
import type { SyncEvent } from "../SyncEvent.js";
import { systemTimers } from "../Timers.js";
import { FakePeers, testPeer } from "../testing/FakePeers.js";
import { testBlock, testHash } from "../testing/testBlock.js";
import { BlockBuffer } from "./BlockBuffer.js";
import { BlockProcessor } from "./BlockProcessor.js";
import { BlockRetriever } from "./BlockRetriever.js";

const one = testPeer("one");
const other = testPeer("other");
const genesis = testBlock(0, [], { by: "v1" });

/** A chain in memory with judgements that a test decides. */
class FakeChain implements BlockStoreView, BlockProcessorPort {
  readonly stored = new Map<string, Block>();
  readonly recorded = new Set<string>([toHex(genesis.hash)]);
  readonly order: string[] = [];
  readonly expectedNext: string[] = [];
  /** Only on networks that have that. */
  admitSettled?: (block: Block) => Promise<boolean>;
  /** When the parts of a large block are on disk. */
  written: Promise<void> = Promise.resolve();
  judge: (block: Block, isAwaited: boolean) => BlockOutcome = () => ({ kind: "valid" });
  onReady: (one: BlockToProcess) => void = () => {};
  readonly #store: Store;
  validators = ["v1"].map((name) => toHex(testHash(name)));

  constructor(store: Store) {
    this.#store = store;
  }

  has = (hash: Uint8Array) => this.stored.has(toHex(hash));
  get = (hash: Uint8Array) => this.stored.get(toHex(hash));
  bytes = (hash: Uint8Array) => encodeBlock(this.stored.get(toHex(hash))!);
  prepare = () => this.written;
  put = (block: Block) => void this.stored.set(toHex(block.hash), block);
  forget = (hash: Uint8Array) => void this.stored.delete(toHex(hash));
  checkForm = (block: Block) => (block.signature.length === 0 ? "block signature is empty." : undefined);

  announceNext(block: Block, parent: Block): void {
    this.expectedNext.push(`${block.number} after ${parent.number}`);
  }

  async process(ready: readonly BlockToProcess[]): Promise<BlockOutcome[]> {
    return ready.map((one) => this.#processOne(one));
  }

  #processOne(one: BlockToProcess): BlockOutcome {
    this.onReady(one);
    const { block, isAwaited, recorded } = one;
    const outcome = this.judge(block, isAwaited);
    this.order.push(`${block.number} ${outcome.kind}`);
    if (outcome.kind === "valid" || (outcome.kind === "invalid" && outcome.inDag)) {
      this.recorded.add(toHex(block.hash));
      this.#store.write(recorded);
    }
    return outcome;
  }

  readonly dag: DagView = {
    has: (hash) => this.recorded.has(toHex(hash)),
    latestMessages: () => [],
    latestTimes: () => [],
    stakes: () => new Map(),
    hasSpoken: () => false,
    isBonded: (key) => this.validators.includes(toHex(key)),
    unpunishedProofs: () => [],
    lastFinalized: () => genesis.hash,
    slashedDependencies: ({ body }) =>
      body.systemDeploys.flatMap(({ systemDeploy }) =>
        systemDeploy.kind === "slash" ? [systemDeploy.invalidBlockHash] : [],
      ),
    changes: () => this.recorded.size,
    revisions: () => 0,
    isDetectedEquivocation: () => false,
    knowsValidator: (key) => this.validators.includes(toHex(key)),
    postState: () => undefined,
    height: () => 0n,
    blocksByHeight: () => [],
  };
}

class Setting implements AsyncDisposable {
  readonly peers = new FakePeers();
  readonly events: SyncEvent[] = [];
  readonly clock = { now: 1_600_000_000_000 };
  readonly store = new MemoryStore(["bufferedBlocks"]);
  readonly chain = new FakeChain(this.store);
  readonly buffer = new BlockBuffer(this.store);
  readonly retriever: BlockRetriever;
  readonly processor: BlockProcessor;
  readonly #ended = new AbortController();
  readonly #run: Promise<void>;

  constructor(approved = genesis) {
    const { peers, chain, buffer } = this;
    chain.recorded.add(toHex(approved.hash));
    const emit = (event: SyncEvent) => void this.events.push(event);
    const nowMs = () => this.clock.now;
    this.retriever = new BlockRetriever({
      ...{ peers, emit, nowMs },
      missed: (hash) => this.processor.doubtWaiting(hash),
    });
    const ports = {
      blocks: chain,
      dag: chain.dag,
      processor: chain,
      peers,
      buffer,
      retriever: this.retriever,
      timers: systemTimers,
    };
    this.processor = new BlockProcessor({ ...ports, approved, dialect: rnode, emit, nowMs });
    this.#run = this.processor.run(this.#ended.signal);
  }

  /** A peer announces a block and sends it, whatever it may be. */
  async give(block: Block, as = block.hash, by = one): Promise<void> {
    this.processor.announced(as, by, "hasBlock");
    void this.processor.receive(block, by);
    await this.settled();
  }

  /** Lets the processor go on until it waits. */
  async settled(): Promise<void> {
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  }

  said(): string[] {
    return this.peers.take().map(({ to, message }) => `${message.type} to ${to}`);
  }

  kinds(): string[] {
    return this.events.map(({ type }) => type);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    await this.#run;
  }
}

const first = testBlock(1, [genesis]);
const second = testBlock(2, [first]);
const third = testBlock(3, [second]);

describe("the processor of blocks", () => {
  test("announces the next block, where it is sure to go on from the block that is validated", async () => {
    await using setting = new Setting();
    const { state } = second.body;
    const elsewhere = { ...second.body, state: { ...state, preStateHash: testHash("elsewhere") } };
    for (const block of [testBlock(2, [first], { body: elsewhere, by: "v2" }), first]) await setting.give(block);
    expect(setting.chain.expectedNext).toEqual([]);
    await using other = new Setting();
    // The fifth waits for the second as well, which is there when the fourth is validated.
    const fourth = testBlock(4, [third]);
    const fifth = testBlock(5, [fourth], { justified: [fourth, second] });
    for (const block of [fifth, fourth, third, second, first]) await other.give(block);
    expect(other.chain.order.length).toBe(5);
    expect(other.chain.expectedNext).toEqual(["2 after 1", "3 after 2", "4 after 3", "5 after 4"]);
    await using merging = new Setting();
    const beside = testBlock(1, [genesis], { by: "v2" });
    const both = testBlock(2, [first, beside]);
    for (const block of [both, beside, first]) await merging.give(block);
    expect(merging.chain.expectedNext).toEqual([]);
  });

  test("validates blocks in the order of their dependencies, and announces them", async () => {
    await using setting = new Setting();
    await setting.give(third);
    expect(setting.said()).toEqual(["BlockRequest to one", "BlockRequest to one"]);
    expect(setting.retriever.isRequested(second.hash)).toBe(true);
    await setting.give(second);
    await setting.give(first);
    expect(setting.chain.order).toEqual(["1 valid", "2 valid", "3 valid"]);
    expect(setting.said().filter((text) => text.startsWith("BlockHashMessage")).length).toBe(3);
    expect([setting.buffer.size, setting.retriever.size]).toEqual([0, 0]);
  });

  test("finds a dependency in its own store instead of requesting it", async () => {
    await using setting = new Setting();
    setting.chain.put(first);
    setting.chain.put(second);
    await setting.give(third);
    expect(setting.chain.order).toEqual(["1 valid", "2 valid", "3 valid"]);
  });

  test("goes on after a restart with what waited", async () => {
    const store = new MemoryStore(["bufferedBlocks"]);
    new BlockBuffer(store).add(second.hash, [first.hash]);
    await using setting = new Setting();
    setting.buffer.add(second.hash, [first.hash]);
    setting.chain.put(first);
    setting.chain.put(second);
    setting.processor.resume();
    await setting.settled();
    expect(setting.chain.order).toEqual(["1 valid", "2 valid"]);
  });

  test("takes no block that it did not request, none below the approved one, none of another shard", async () => {
    await using setting = new Setting();
    await setting.processor.receive(first, one);
    await setting.give(testBlock(-1, [genesis]));
    await setting.give(testBlock(1, [genesis], { shardId: "other" }));
    const header = { ...first.header, version: 2n };
    await setting.give(testBlock(1, [genesis], { header }));
    expect(setting.chain.stored.size).toBe(0);
    expect(setting.kinds().filter((kind) => kind === "blockNotOfInterest").length).toBe(2);
    expect(setting.events).toContainEqual(
      expect.objectContaining({
        type: "unknownRulesSeen",
        reason: "this network uses rules of a newer version (block version 2 at #1); Vedette knows block version 1",
      }),
    );
    expect(setting.retriever.size).toBe(0);
  });

  test("stores a large block while others go on, and takes no second copy of it meanwhile", async () => {
    await using setting = new Setting();
    const large = testBlock(1, [genesis], { by: "v2", extraBytes: new Uint8Array(2 << 20) });
    let resolve = () => {};
    setting.chain.written = new Promise((resolved) => {
      resolve = resolved;
    });
    await setting.give(large);
    await setting.give(large, large.hash, other);
    await setting.give(testBlock(2, [large]), undefined, other);
    await setting.give(first);
    expect([setting.chain.order, setting.chain.has(large.hash)]).toEqual([["1 valid"], false]);
    resolve();
    await setting.settled();
    expect(setting.chain.order).toEqual(["1 valid", "1 valid", "2 valid"]);
    expect(setting.kinds().filter((kind) => kind === "blockIgnored").length).toBe(1);
    expect([setting.retriever.size, setting.buffer.size]).toEqual([0, 0]);
  });

  test("repeats the request for a large block that could not be stored", async () => {
    await using setting = new Setting();
    const large = testBlock(1, [genesis], { extraBytes: new Uint8Array(2 << 20) });
    setting.processor.announced(large.hash, one, "hasBlock");
    setting.chain.written = Promise.reject(new TypeError("the disk is full"));
    await expect(setting.processor.receive(large, one)).rejects.toThrow("the disk is full");
    expect([setting.processor.isIgnored(large.hash), setting.retriever.isRequested(large.hash)]).toEqual([false, true]);
    setting.chain.written = Promise.resolve();
    await setting.processor.receive(large, other);
    await setting.settled();
    expect(setting.chain.order).toEqual(["1 valid"]);
  });

  test("takes a block a little below the approved one where another refers to it", async () => {
    const approved = testBlock(70, [genesis]);
    await using setting = new Setting(approved);
    const beside = testBlock(69, [genesis], { by: "v2" });
    const farBelow = testBlock(10, [genesis], { by: "v3" });
    await setting.give(testBlock(71, [approved], { justified: [approved, beside, farBelow] }));
    await setting.give(beside);
    await setting.give(farBelow);
    expect(setting.chain.order).toEqual(["69 valid"]);
    expect(setting.kinds().filter((kind) => kind === "blockNotOfInterest").length).toBe(1);
  });

  test("takes none below genesis, whatever refers to it", async () => {
    await using setting = new Setting();
    const below = testBlock(-1, [genesis], { by: "v2" });
    await setting.give(testBlock(1, [genesis], { justified: [genesis, below] }));
    await setting.give(below);
    expect(setting.chain.order).toEqual([]);
    expect(setting.kinds()).toContain("blockNotOfInterest");
  });

  test("knows which of the blocks that wait are strangers', until they wait no longer", async () => {
    await using setting = new Setting();
    await setting.give(testBlock(3, [testBlock(2, [genesis], { by: "v1" })], { by: "v1" }));
    expect(setting.processor.strangersWaiting).toBe(0);
    await setting.give(testBlock(3, [testBlock(2, [genesis], { by: "other stranger" })], { by: "stranger" }));
    await setting.give(second);
    await setting.give(testBlock(2, [first], { by: "stranger" }));
    expect(setting.processor.strangersWaiting).toBe(2);
    await setting.give(first);
    expect(setting.processor.strangersWaiting).toBe(1);
  });

  test("announces nothing that is not in the DAG, and strangers make each other's blocks no more needed", async () => {
    await using setting = new Setting();
    const needed: string[] = [];
    let inDag = false;
    setting.chain.onReady = ({ block, isNeeded }) => {
      inDag = isNeeded;
      needed.push(`${block.number} ${isNeeded}`);
    };
    setting.chain.judge = () => ({ kind: "invalid", status: "InvalidBlockNumber", inDag });
    const strangers = testBlock(7, [genesis], { by: "stranger", sequenceNumber: 0 });
    await setting.give(strangers);
    expect(setting.said().filter((said) => said.startsWith("BlockHashMessage"))).toEqual([]);
    // It takes no room, and is not fetched again for its name alone.
    expect(setting.chain.has(strangers.hash)).toBe(false);
    setting.processor.announced(strangers.hash, other, "broadcast");
    expect(setting.retriever.isRequested(strangers.hash)).toBe(false);
    const again = testBlock(8, [strangers], { by: "another" });
    await setting.give(again);
    await setting.give(strangers);
    await setting.give(testBlock(9, [strangers], { by: "v1" }));
    await setting.give(strangers);
    expect(needed).toEqual(["7 false", "7 false", "7 true", "8 false", "9 false"]);
  });

  test("takes the shard in any case of letters", async () => {
    await using setting = new Setting();
    await setting.give(testBlock(1, [genesis], { shardId: "ROOT" }));
    expect(setting.chain.order).toEqual(["1 valid"]);
  });

  test("drops a malformed block and requests it from others", async () => {
    await using setting = new Setting();
    await setting.give(testBlock(1, [genesis], { hash: first.hash, signature: new Uint8Array(0) }));
    expect(setting.kinds()).toContain("blockMalformed");
    expect(setting.said()).toContain("HasBlockRequest to all");
    expect(setting.chain.stored.size).toBe(0);
    await setting.processor.receive(first, one);
    await setting.settled();
    expect(setting.chain.order).toEqual(["1 valid"]);
  });

  test("lets no peer put something else in a good block's place", async () => {
    await using setting = new Setting();
    for (let i = 0; i < 6; i += 1) await setting.give(testBlock(7, [genesis], { hash: first.hash, by: "stranger" }));
    for (let i = 0; i < 3; i += 1) await setting.give(testBlock(7, [genesis], { hash: first.hash, by: "v1" }));
    expect(setting.chain.stored.size).toBe(0);
    await setting.give(first);
    expect(setting.chain.order).toEqual(["1 valid"]);
  });

  test("takes a validator's block with a wrong hash when no peer has another one", async () => {
    await using setting = new Setting();
    for (let i = 0; i < 4; i += 1) await setting.give(testBlock(7, [genesis], { hash: first.hash, by: "v1" }));
    expect(setting.chain.stored.size).toBe(1);
  });

  test("releases the children of a block that is recorded as invalid", async () => {
    await using setting = new Setting();
    setting.chain.judge = ({ number }) =>
      number === 1n ? { kind: "invalid", status: "InvalidFollows", inDag: true } : { kind: "valid" };
    await setting.give(second);
    await setting.give(first);
    expect(setting.chain.order).toEqual(["1 invalid", "2 valid"]);
  });

  test("records an ignorable equivocation that a block refers to, from a second copy", async () => {
    await using setting = new Setting();
    setting.chain.judge = ({ number }, isAwaited) =>
      number === 1n
        ? { kind: "invalid", status: isAwaited ? "AdmissibleEquivocation" : "IgnorableEquivocation", inDag: isAwaited }
        : { kind: "valid" };
    await setting.give(first);
    expect(setting.chain.order).toEqual(["1 invalid"]);
    await setting.give(second);
    expect(setting.chain.order).toEqual(["1 invalid"]);
    await setting.give(first);
    expect(setting.chain.order).toEqual(["1 invalid", "1 invalid", "2 valid"]);
  });

  test("never counts the copy that it has as a second one, and requests from another peer first", async () => {
    await using setting = new Setting();
    setting.chain.judge = ({ number }, isAwaited) =>
      number === 1n ? { kind: "invalid", status: "InvalidFollows", inDag: isAwaited } : { kind: "valid" };
    await setting.give(second);
    await setting.give(first);
    setting.said();
    setting.clock.now += 500;
    setting.processor.announced(first.hash, one, "hasBlock");
    expect(setting.said()).toEqual([]);
    setting.processor.announced(first.hash, other, "hasBlock");
    expect(setting.said()).toEqual(["BlockRequest to other"]);
    for (let times = 0; times < 3; times++) {
      setting.clock.now += 20_001;
      setting.processor.announced(first.hash, one, "hasBlock");
      setting.processor.requestPendants();
      await setting.settled();
    }
    expect(setting.chain.order.filter((judged) => judged !== "1 invalid")).toEqual([]);
    await setting.give(first, first.hash, other);
    expect(setting.chain.order.at(-1)).toBe("2 valid");
  });

  test("takes the second copy from the same peer where no other one has a copy", async () => {
    await using setting = new Setting();
    setting.chain.judge = ({ number }, isAwaited) =>
      number === 1n ? { kind: "invalid", status: "InvalidFollows", inDag: isAwaited } : { kind: "valid" };
    await setting.give(second);
    await setting.give(first);
    setting.processor.announced(first.hash, one, "hasBlock");
    setting.said();
    setting.clock.now += 1001;
    setting.retriever.requestAgain();
    expect(setting.said()).toEqual(["BlockRequest to one"]);
    await setting.give(first);
    expect(setting.chain.order).toEqual(["1 invalid", "1 invalid", "2 valid"]);
  });

  describe("a copy that refers to a block that no peer has", () => {
    const nowhere = testHash("nowhere");
    const madeUp = new Block({ ...first, justifications: [{ validator: first.sender, latestBlockHash: nowhere }] });

    test("gives way to that of another peer, also where others wait for the block", async () => {
      await using setting = new Setting();
      await setting.give(second);
      await setting.give(madeUp);
      setting.said();
      for (const ms of [5_001, 10_001]) {
        setting.clock.now += ms;
        setting.retriever.requestAgain();
      }
      expect(setting.retriever.isRequested(first.hash)).toBe(true);
      setting.processor.announced(first.hash, one, "hasBlock");
      setting.said();
      setting.processor.announced(first.hash, other, "hasBlock");
      expect(setting.said()).toEqual(["BlockRequest to other"]);
      void setting.processor.receive(first, other);
      await setting.settled();
      expect(setting.chain.order).toEqual(["1 valid", "2 valid"]);
      expect([setting.buffer.size, setting.buffer.pendantCount]).toEqual([0, 0]);
    });

    test("is not taken from the store again when what it refers to was given up", async () => {
      await using setting = new Setting();
      await setting.give(second);
      await setting.give(madeUp);
      setting.processor.giveUp(nowhere);
      setting.said();
      setting.processor.announced(first.hash, other, "broadcast");
      expect(setting.said()).toEqual(["BlockRequest to other"]);
      void setting.processor.receive(first, other);
      await setting.settled();
      expect(setting.chain.order).toEqual(["1 valid", "2 valid"]);
    });

    test("may be the true one: then it waits on", async () => {
      await using setting = new Setting();
      await setting.give(second);
      for (const ms of [5_001, 10_001]) {
        setting.clock.now += ms;
        setting.retriever.requestAgain();
      }
      setting.processor.announced(second.hash, other, "hasBlock");
      void setting.processor.receive(second, other);
      await setting.settled();
      expect(setting.chain.order).toEqual([]);
      await setting.give(first, first.hash, other);
      expect(setting.chain.order).toEqual(["1 valid", "2 valid"]);
      expect(setting.retriever.size).toBe(0);
    });
  });

  test("a copy that refers to a later block, which waits for it, is fetched anew from another peer", async () => {
    await using setting = new Setting();
    // Neither hash nor signature covers the justifications.
    const changed = new Block({
      ...first,
      justifications: [{ validator: first.sender, latestBlockHash: third.hash }],
    });
    for (const block of [third, second, changed]) await setting.give(block);
    expect([setting.chain.order, setting.buffer.size, setting.buffer.pendantCount]).toEqual([[], 3, 0]);
    // The first search sees that nothing was judged since it, the second one looks on.
    for (let time = 0; time < 2; time += 1) await setting.processor.doubtCircle();
    const isRequested = (block: Block) => setting.retriever.isRequested(block.hash);
    expect([first, second, third].map(isRequested)).toEqual([true, false, false]);
    await setting.give(first, first.hash, other);
    expect(setting.chain.order).toEqual(["1 valid", "2 valid", "3 valid"]);
    expect(setting.buffer.size).toBe(0);
  });

  test("a copy with changed justifications does no harm to the block", async () => {
    await using setting = new Setting();
    let isChanged = true;
    setting.chain.judge = ({ number }, isAwaited) =>
      number === 1n && isChanged ? { kind: "invalid", status: "InvalidFollows", inDag: isAwaited } : { kind: "valid" };
    await setting.give(second);
    await setting.give(first);
    expect(setting.chain.order).toEqual(["1 invalid"]);
    isChanged = false;
    await setting.give(first);
    expect(setting.chain.order).toEqual(["1 invalid", "1 valid", "2 valid"]);
  });

  test("does not replay a refused block over and over", async () => {
    await using setting = new Setting();
    setting.chain.judge = () => ({ kind: "invalid", status: "InvalidTimestamp", inDag: false });
    await setting.give(first);
    for (let times = 0; times < 5; times++) setting.processor.announced(first.hash, one, "broadcast");
    await setting.settled();
    expect(setting.chain.order.length).toBe(1);
    setting.clock.now += 10_001;
    setting.chain.judge = () => ({ kind: "valid" });
    setting.processor.announced(first.hash, one, "broadcast");
    await setting.settled();
    expect(setting.chain.order).toEqual(["1 invalid", "1 valid"]);
  });

  test("survives an exception, and tries the block again later", async () => {
    await using setting = new Setting();
    setting.chain.judge = () => {
      throw new Error("out of disk");
    };
    await setting.give(second);
    await setting.give(first);
    expect(setting.events).toContainEqual({ type: "blockFailed", block: first, reason: "out of disk" });
    setting.clock.now += 10_001;
    setting.chain.judge = () => ({ kind: "valid" });
    setting.processor.requestPendants();
    await setting.settled();
    expect(setting.chain.order).toEqual(["1 valid", "2 valid"]);
  });

  test("tries both copies of what it cannot judge, and then waits for a change of the chain", async () => {
    await using setting = new Setting();
    setting.chain.judge = (block) =>
      block.number === 1n ? { kind: "failed", reason: "no validator was slashed" } : { kind: "valid" };
    await setting.give(second);
    await setting.give(first);
    expect(setting.retriever.isRequested(first.hash)).toBe(true);
    await setting.give(first, first.hash, other);
    expect(setting.chain.order).toEqual(["1 failed", "1 failed"]);
    expect(setting.kinds().filter((kind) => kind === "blockUnjudged")).toHaveLength(1);
    expect(setting.processor.unjudgedCount).toBe(1);
    for (let hour = 0; hour < 5; hour++) {
      setting.clock.now += 3_600_000;
      await setting.give(first);
      setting.processor.requestPendants();
      await setting.settled();
    }
    expect([setting.retriever.isRequested(first.hash), setting.chain.order.length]).toEqual([false, 2]);
    setting.chain.judge = () => ({ kind: "valid" });
    await setting.give(testBlock(1, [genesis], { by: "v2" }));
    setting.processor.requestPendants();
    await setting.settled();
    expect(setting.chain.order.slice(2)).toEqual(["1 valid", "1 valid", "2 valid"]);
    expect(setting.processor.unjudgedCount).toBe(0);
  });

  test("fetches the block that another slashes for before that is judged", async () => {
    await using setting = new Setting();
    const slashed = testBlock(1, [genesis], { by: "v2" });
    const slash = { kind: "slash", invalidBlockHash: slashed.hash, issuerPublicKey: testHash("v1") } as const;
    const body = { ...first.body, systemDeploys: [{ systemDeploy: slash, log: [], error: "" }] };
    const slashing = testBlock(1, [genesis], { body });
    await setting.give(slashing);
    expect([setting.retriever.isRequested(slashed.hash), setting.chain.order]).toEqual([true, []]);
    await setting.give(slashed);
    expect(setting.chain.order).toHaveLength(2);
    expect(setting.buffer.size).toBe(0);
  });

  test("does not announce blocks of long ago", async () => {
    await using setting = new Setting();
    setting.clock.now += 600_001;
    await setting.give(first);
    expect(setting.said()).toEqual(["BlockRequest to one"]);
  });

  test("requests the dependencies of a stranger's block a few at a time, and goes on when it has them", async () => {
    for (const [by, atOnce] of [
      ["stranger", 8],
      ["v1", 20],
    ] as const) {
      await using setting = new Setting();
      const parents = Array.from({ length: 20 }, (_, index) => testBlock(1, [genesis], { by: `v${index}` }));
      const top = testBlock(2, parents, { by });
      await setting.give(top);
      expect(setting.said().filter((text) => text === "BlockRequest to one").length).toBe(1 + atOnce);
      for (const parent of parents) await setting.give(parent);
      expect(setting.chain.order.length).toBe(21);
      expect([setting.chain.order.at(-1), setting.buffer.size, setting.retriever.size]).toEqual(["2 valid", 0, 0]);
    }
  });

  test("requests the next dependencies when the first ones have come, even if these wait for others", async () => {
    await using setting = new Setting();
    const parents = Array.from({ length: 12 }, (_, index) => testBlock(2, [first], { by: `v${index}` }));
    await setting.give(testBlock(3, parents, { by: "stranger" }));
    setting.said();
    for (const parent of parents.slice(0, 8)) await setting.processor.receive(parent, one);
    await setting.settled();
    // Four that the block lacks besides, and what the eight have below them.
    expect(setting.said().filter((text) => text === "BlockRequest to one").length).toBe(4 + 1);
    for (const parent of parents.slice(8)) await setting.processor.receive(parent, one);
    await setting.processor.receive(first, one);
    await setting.settled();
    expect(setting.chain.order.at(-1)).toBe("3 valid");
  });

  test("gives up a block with a dependency that no peer has, and takes it again when a peer announces it", async () => {
    await using setting = new Setting();
    await setting.give(second);
    expect(setting.buffer.isWaiting(second.hash)).toBe(true);
    setting.processor.giveUp(first.hash);
    expect([setting.buffer.size, setting.buffer.pendantCount]).toEqual([0, 0]);
    await setting.give(second, second.hash, other);
    await setting.give(first);
    expect(setting.chain.order).toEqual(["1 valid", "2 valid"]);
  });
});

describe("a node that began at a state, on networks that have that,", () => {
  const lost = testBlock(8, [], { by: "v1" });
  const begun = testBlock(10, [testBlock(9, [lost], { by: "v1" })], { by: "v1" });
  const beside = (by: string, number = 9) => testBlock(number, [lost], { by });
  const above = (others: readonly Block[], sequenceNumber = 11) =>
    testBlock(11, [begun], { by: "v1", justified: [begun, ...others], sequenceNumber });

  function settingThatAdmits(): Setting {
    const setting = new Setting(begun);
    setting.chain.admitSettled = async ({ hash }) => {
      setting.chain.recorded.add(toHex(hash));
      return true;
    };
    return setting;
  }

  const admitted = (setting: Setting) =>
    setting.events.flatMap((event) => (event.type === "blockAdmitted" ? [event.block.number] : []));

  test("takes a block in unjudged that lies below, and that another one needs", async () => {
    await using setting = settingThatAdmits();
    const old = beside("v1");
    await setting.give(above([old]));
    expect(setting.chain.order).toEqual([]);
    await setting.give(old);
    expect(admitted(setting)).toEqual([9n]);
    expect(setting.chain.order).toEqual(["11 valid"]);
  });

  test("takes genesis, which justifies validators that have made no block, however far below it is", async () => {
    const far = testBlock(500, [testBlock(499, [], { by: "v1" })], { by: "v1" });
    await using setting = new Setting(far);
    setting.chain.admitSettled = async ({ hash }) => {
      setting.chain.recorded.add(toHex(hash));
      return true;
    };
    const first = testBlock(0, [], { by: "stranger" });
    await setting.give(first);
    expect(admitted(setting)).toEqual([]);
    await setting.give(testBlock(501, [far], { by: "v1", justified: [far, first] }));
    await setting.give(first);
    expect([admitted(setting), setting.chain.order]).toEqual([[0n], ["501 valid"]]);
  });

  test("does so for no block that is not needed, that is above, or has an unknown creator", async () => {
    await using setting = settingThatAdmits();
    await setting.give(beside("v1"));
    const [higher, stranger] = [beside("v1", 12), beside("v2")];
    await setting.give(above([higher, stranger]));
    await setting.give(higher);
    await setting.give(stranger);
    expect(admitted(setting)).toEqual([]);
    expect(setting.chain.order).toEqual([]);
  });

  test("does so with a block that cannot be judged though all that it names is there", async () => {
    await using setting = settingThatAdmits();
    setting.chain.recorded.add(toHex(lost.hash));
    setting.chain.judge = ({ number }) =>
      number < 10n ? { kind: "failed", reason: "a block further down is not here" } : { kind: "valid" };
    const old = beside("v1");
    await setting.give(above([old]));
    await setting.give(old);
    expect(admitted(setting)).toEqual([9n]);
    expect(setting.chain.order).toEqual(["9 failed", "11 valid"]);
  });

  test("judges a block of which all is there", async () => {
    await using setting = settingThatAdmits();
    setting.chain.recorded.add(toHex(lost.hash));
    const old = beside("v1");
    await setting.give(above([old]));
    await setting.give(old);
    expect(admitted(setting)).toEqual([]);
    expect(setting.chain.order).toEqual(["9 valid", "11 valid"]);
  });

  test("does so 512 times at most", async () => {
    await using setting = settingThatAdmits();
    const olds = Array.from({ length: 520 }, (_, index) =>
      testBlock(9, [lost], { by: "v1", sequenceNumber: index + 1 }),
    );
    for (let start = 0; start < olds.length; start += 40) {
      const part = olds.slice(start, start + 40);
      await setting.give(above(part, 1000 + start));
      for (const old of part) {
        setting.processor.announced(old.hash, one, "hasBlock");
        await setting.processor.receive(old, one);
      }
    }
    await setting.settled();
    expect(admitted(setting).length).toBe(512);
  });
});

test("nothing is taken in unjudged where the network's rules have nothing of that", async () => {
  const lost = testBlock(8, [], { by: "v1" });
  const begun = testBlock(10, [testBlock(9, [lost], { by: "v1" })], { by: "v1" });
  await using setting = new Setting(begun);
  const old = testBlock(9, [lost], { by: "v1", sequenceNumber: 5 });
  await setting.give(testBlock(11, [begun], { by: "v1", justified: [begun, old] }));
  await setting.give(old);
  expect(setting.events.some(({ type }) => type === "blockAdmitted")).toBe(false);
  expect(setting.chain.recorded.has(toHex(old.hash))).toBe(false);
});
