import { Block } from "@vedette/protocol";
import { describe, expect, test } from "vitest";
import { first, genesis, one, other, ProcessorSetting, second, third } from "../testing/ProcessorSetting.js";
import { testBlock, testHash } from "../testing/testBlock.js";

describe("the processor of blocks, where peers send other copies of one,", () => {
  test("drops a malformed block and requests it from others", async () => {
    await using setting = new ProcessorSetting();
    await setting.give(testBlock(1, [genesis], { hash: first.hash, signature: new Uint8Array(0) }));
    expect(setting.kinds()).toContain("blockMalformed");
    expect(setting.said()).toContain("HasBlockRequest to all");
    expect(setting.chain.stored.size).toBe(0);
    await setting.processor.receive(first, one);
    await setting.settled();
    expect(setting.chain.order).toEqual(["1 valid"]);
  });

  test("lets no peer put something else in a good block's place", async () => {
    await using setting = new ProcessorSetting();
    for (let i = 0; i < 6; i += 1) await setting.give(testBlock(7, [genesis], { hash: first.hash, by: "stranger" }));
    for (let i = 0; i < 3; i += 1) await setting.give(testBlock(7, [genesis], { hash: first.hash, by: "v1" }));
    expect(setting.chain.stored.size).toBe(0);
    await setting.give(first);
    expect(setting.chain.order).toEqual(["1 valid"]);
  });

  test("takes a validator's block with a wrong hash when no peer has another one", async () => {
    await using setting = new ProcessorSetting();
    for (let i = 0; i < 4; i += 1) await setting.give(testBlock(7, [genesis], { hash: first.hash, by: "v1" }));
    expect(setting.chain.stored.size).toBe(1);
  });

  test("releases the children of a block that is recorded as invalid", async () => {
    await using setting = new ProcessorSetting();
    setting.chain.judge = ({ number }) =>
      number === 1n ? { kind: "invalid", status: "InvalidFollows", inDag: true } : { kind: "valid" };
    await setting.give(second);
    await setting.give(first);
    expect(setting.chain.order).toEqual(["1 invalid", "2 valid"]);
  });

  test("records an ignorable equivocation that a block refers to, from a second copy", async () => {
    await using setting = new ProcessorSetting();
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
    await using setting = new ProcessorSetting();
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
    await using setting = new ProcessorSetting();
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
      await using setting = new ProcessorSetting();
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
      await using setting = new ProcessorSetting();
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
      await using setting = new ProcessorSetting();
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
    await using setting = new ProcessorSetting();
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
    await using setting = new ProcessorSetting();
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
});
