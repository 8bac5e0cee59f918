import { MemoryStore } from "@vedette/store";
import { describe, expect, test } from "vitest";
import { first, genesis, one, other, ProcessorSetting, second, third } from "../testing/ProcessorSetting.js";
import { testBlock, testHash } from "../testing/testBlock.js";
import { BlockBuffer } from "./BlockBuffer.js";

describe("the processor of blocks", () => {
  test("announces the next block, where it is sure to go on from the block that is validated", async () => {
    await using setting = new ProcessorSetting();
    const { state } = second.body;
    const elsewhere = { ...second.body, state: { ...state, preStateHash: testHash("elsewhere") } };
    for (const block of [testBlock(2, [first], { body: elsewhere, by: "v2" }), first]) await setting.give(block);
    expect(setting.chain.expectedNext).toEqual([]);
    await using other = new ProcessorSetting();
    // The fifth waits for the second as well, which is there when the fourth is validated.
    const fourth = testBlock(4, [third]);
    const fifth = testBlock(5, [fourth], { justified: [fourth, second] });
    for (const block of [fifth, fourth, third, second, first]) await other.give(block);
    expect(other.chain.order.length).toBe(5);
    expect(other.chain.expectedNext).toEqual(["2 after 1", "3 after 2", "4 after 3", "5 after 4"]);
    await using merging = new ProcessorSetting();
    const beside = testBlock(1, [genesis], { by: "v2" });
    const both = testBlock(2, [first, beside]);
    for (const block of [both, beside, first]) await merging.give(block);
    expect(merging.chain.expectedNext).toEqual([]);
  });

  test("validates blocks in the order of their dependencies, and announces them", async () => {
    await using setting = new ProcessorSetting();
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
    await using setting = new ProcessorSetting();
    setting.chain.put(first);
    setting.chain.put(second);
    await setting.give(third);
    expect(setting.chain.order).toEqual(["1 valid", "2 valid", "3 valid"]);
  });

  test("goes on after a restart with what waited", async () => {
    const store = new MemoryStore(["bufferedBlocks"]);
    new BlockBuffer(store).add(second.hash, [first.hash]);
    await using setting = new ProcessorSetting();
    setting.buffer.add(second.hash, [first.hash]);
    setting.chain.put(first);
    setting.chain.put(second);
    setting.processor.resume();
    await setting.settled();
    expect(setting.chain.order).toEqual(["1 valid", "2 valid"]);
  });

  test("takes no block that it did not request, none below the approved one, none of another shard", async () => {
    await using setting = new ProcessorSetting();
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
    await using setting = new ProcessorSetting();
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
    await using setting = new ProcessorSetting();
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
    await using setting = new ProcessorSetting(approved);
    const beside = testBlock(69, [genesis], { by: "v2" });
    const farBelow = testBlock(10, [genesis], { by: "v3" });
    await setting.give(testBlock(71, [approved], { justified: [approved, beside, farBelow] }));
    await setting.give(beside);
    await setting.give(farBelow);
    expect(setting.chain.order).toEqual(["69 valid"]);
    expect(setting.kinds().filter((kind) => kind === "blockNotOfInterest").length).toBe(1);
  });

  test("takes none below genesis, whatever refers to it", async () => {
    await using setting = new ProcessorSetting();
    const below = testBlock(-1, [genesis], { by: "v2" });
    await setting.give(testBlock(1, [genesis], { justified: [genesis, below] }));
    await setting.give(below);
    expect(setting.chain.order).toEqual([]);
    expect(setting.kinds()).toContain("blockNotOfInterest");
  });

  test("knows which of the blocks that wait are strangers', until they wait no longer", async () => {
    await using setting = new ProcessorSetting();
    await setting.give(testBlock(3, [testBlock(2, [genesis], { by: "v1" })], { by: "v1" }));
    expect(setting.processor.waitingOfUnbonded).toBe(0);
    await setting.give(testBlock(3, [testBlock(2, [genesis], { by: "other stranger" })], { by: "stranger" }));
    await setting.give(second);
    await setting.give(testBlock(2, [first], { by: "stranger" }));
    expect(setting.processor.waitingOfUnbonded).toBe(2);
    await setting.give(first);
    expect(setting.processor.waitingOfUnbonded).toBe(1);
  });

  test("announces nothing that is not in the DAG, and strangers make each other's blocks no more needed", async () => {
    await using setting = new ProcessorSetting();
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
    await using setting = new ProcessorSetting();
    await setting.give(testBlock(1, [genesis], { shardId: "ROOT" }));
    expect(setting.chain.order).toEqual(["1 valid"]);
  });

  test("does not replay a refused block over and over", async () => {
    await using setting = new ProcessorSetting();
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
    await using setting = new ProcessorSetting();
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
    await using setting = new ProcessorSetting();
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
    await using setting = new ProcessorSetting();
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
    await using setting = new ProcessorSetting();
    setting.clock.now += 600_001;
    await setting.give(first);
    expect(setting.said()).toEqual(["BlockRequest to one"]);
  });

  test("requests the dependencies of a stranger's block a few at a time, and goes on when it has them", async () => {
    for (const [by, atOnce] of [
      ["stranger", 8],
      ["v1", 20],
    ] as const) {
      await using setting = new ProcessorSetting();
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
    await using setting = new ProcessorSetting();
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
    await using setting = new ProcessorSetting();
    await setting.give(second);
    expect(setting.buffer.isWaiting(second.hash)).toBe(true);
    setting.processor.giveUp(first.hash);
    expect([setting.buffer.size, setting.buffer.pendantCount]).toEqual([0, 0]);
    await setting.give(second, second.hash, other);
    await setting.give(first);
    expect(setting.chain.order).toEqual(["1 valid", "2 valid"]);
  });
});
