import { hashKey } from "@vedette/protocol";
import { expect, test } from "vitest";
import { TestDag, validatorKey } from "../testing/TestDag.js";

const manyBonds = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`bonded ${index}`, 1]));

function withInvalid(hasUncheckedBonds: boolean): TestDag {
  const test = new TestDag({ v1: 1, v2: 1 });
  const justifications = { v1: test.genesis, v2: test.genesis };
  const block = test.make({ creator: "v1", parents: [test.genesis], justifications, bonds: { v1: 1, ...manyBonds } });
  test.dag.insert(block, { invalid: true, approved: false, hasUncheckedBonds });
  return test;
}

test("an invalid block with unchecked bonds becomes its sender's latest message, and that of no other validator", () => {
  const { dag } = withInvalid(true);
  expect(dag.latestMessages().length).toBe(2);
  expect(dag.isInvalid(dag.latestMessage(hashKey(validatorKey("v1")))!)).toBe(true);
  expect(dag.isInvalid(dag.latestMessage(hashKey(validatorKey("v2")))!)).toBe(false);
  expect(dag.latestBlocks().length).toBe(2);
});

test("an invalid block with the bonds of its state bonds the validators in them, as in rnode", () => {
  const { dag } = withInvalid(false);
  expect(dag.latestMessages().length).toBe(2_002);
  expect(dag.latestBlocks().length).toBe(2);
});

test("a validator is bonded by stake in the last finalized block, or in the latest block of a bonded one", () => {
  const test = new TestDag({ v1: 1, v2: 0 });
  const isBonded = (name: string) => test.dag.isBonded(hashKey(validatorKey(name)));
  expect([isBonded("v1"), isBonded("v2"), isBonded("v3")]).toEqual([true, false, false]);
  const justifications = { v1: test.genesis, v2: test.genesis };
  const block = test.make({ creator: "v1", parents: [test.genesis], justifications, bonds: { v1: 1, v3: 5 } });
  test.dag.insert(block, { invalid: false, approved: false });
  expect(isBonded("v3")).toBe(true);
  const stranger = test.make({ creator: "v4", parents: [block], justifications: {}, bonds: { v4: 5 } });
  test.dag.insert(stranger, { invalid: false, approved: false });
  expect(isBonded("v4")).toBe(false);
});

test("a validator has spoken when its latest message is its own", () => {
  const test = new TestDag({ v1: 1, v2: 1 });
  test.add({ creator: "v1", parents: [test.genesis], justifications: { v1: test.genesis, v2: test.genesis } });
  const hasSpoken = (name: string) => test.dag.hasSpoken(hashKey(validatorKey(name)));
  expect([hasSpoken("v1"), hasSpoken("v2"), hasSpoken("v3")]).toEqual([true, false, false]);
});
