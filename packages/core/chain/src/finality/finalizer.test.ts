import type { Block } from "@vedette/protocol";
import { expect, test } from "vitest";
import { unfinalizedAncestors } from "../dag/ancestors.js";
import { TestDag } from "../testing/TestDag.js";
import { findFinalized } from "./finalizer.js";

test("the chain of five validators of 40 §15.6", () => {
  const names = ["v1", "v2", "v3", "v4", "v5"];
  const dag = new TestDag({ v1: 3, v2: 3, v3: 3, v4: 3, v5: 3 });
  const finalize = (): Uint8Array | undefined => {
    const found = findFinalized(dag.dag, -1);
    if (found !== undefined) dag.dag.recordFinalized(found, unfinalizedAncestors(dag.dag, found));
    return found?.hash;
  };
  const b1 = dag.next("v1", [dag.genesis]);
  const layer: Block[] = names.map((name) => dag.next(name, [b1]));
  expect(finalize()).toEqual(b1.hash);
  const b7 = dag.next("v1", layer);
  dag.next("v1", [b7]);
  dag.next("v2", [b7]);
  expect(finalize()).toBeUndefined();
  dag.next("v3", [b7]);
  dag.next("v4", [b7]);
  dag.next("v5", [b7]);
  expect(finalize()).toEqual(b7.hash);
  expect(finalize()).toBeUndefined();
  for (const block of [b1, b7, ...layer]) {
    const { finalized, directlyFinalized } = dag.dag.require(block.hash);
    expect([finalized, directlyFinalized]).toEqual([true, block === b1 || block === b7]);
  }
});

test("nothing is final with threshold 1", () => {
  const dag = new TestDag({ v1: 1 });
  let tip = dag.genesis;
  for (let i = 0; i < 4; i += 1) tip = dag.next("v1", [tip]);
  expect(findFinalized(dag.dag, 1)).toBeUndefined();
  expect(findFinalized(dag.dag, 0.99)?.hash).toEqual(tip.hash);
});

for (const [when, isOwnTheLast] of [
  ["it makes the block without its stake", false],
  ["its last block is the last one with its stake", true],
] as const)
  test(`a network goes on when the validator with most of the stake has left: ${when}`, () => {
    const dag = new TestDag({ v1: 1000, v2: 1, v3: 1 });
    const finalize = (): Uint8Array | undefined => {
      const found = findFinalized(dag.dag, 0.1);
      if (found !== undefined) dag.dag.recordFinalized(found, unfinalizedAncestors(dag.dag, found));
      return found?.hash;
    };
    const before = dag.next("v2", [dag.genesis]);
    const bonds = { v2: 1, v3: 1 };
    const leaving = { creator: "v1", parents: [before], justifications: { v1: dag.genesis, v2: before } };
    const last = dag.add(isOwnTheLast ? leaving : { ...leaving, bonds });
    expect(finalize()).toEqual(last.hash);
    let [tip, ...others] = [last, dag.genesis, before];
    const finals: boolean[] = [];
    for (let round = 0; round < 8; round += 1) {
      const [creator, other] = round % 2 === 0 ? ["v3", "v2"] : ["v2", "v3"];
      const [own, others2] = others as [Block, Block];
      const block = dag.add({ creator, parents: [tip], justifications: { [creator]: own, [other]: others2 }, bonds });
      others = [others2, block];
      tip = block;
      finals.push(finalize() !== undefined);
    }
    expect(finals.slice(-3)).toEqual([true, true, true]);
  });
