import { toHex } from "@vedette/crypto";
import type { Block } from "@vedette/protocol";
import { describe, expect, test } from "vitest";
import { one, ProcessorSetting } from "../testing/ProcessorSetting.js";
import { testBlock } from "../testing/testBlock.js";

describe("a node that began at a state, on networks that have that,", () => {
  const lost = testBlock(8, [], { by: "v1" });
  const begun = testBlock(10, [testBlock(9, [lost], { by: "v1" })], { by: "v1" });
  const beside = (by: string, number = 9) => testBlock(number, [lost], { by });
  const above = (others: readonly Block[], sequenceNumber = 11) =>
    testBlock(11, [begun], { by: "v1", justified: [begun, ...others], sequenceNumber });

  function settingThatAdmits(): ProcessorSetting {
    const setting = new ProcessorSetting(begun);
    setting.chain.admitSettled = async ({ hash }) => {
      setting.chain.recorded.add(toHex(hash));
      return true;
    };
    return setting;
  }

  const admitted = (setting: ProcessorSetting) =>
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
    await using setting = new ProcessorSetting(far);
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
  await using setting = new ProcessorSetting(begun);
  const old = testBlock(9, [lost], { by: "v1", sequenceNumber: 5 });
  await setting.give(testBlock(11, [begun], { by: "v1", justified: [begun, old] }));
  await setting.give(old);
  expect(setting.events.some(({ type }) => type === "blockAdmitted")).toBe(false);
  expect(setting.chain.recorded.has(toHex(old.hash))).toBe(false);
});
