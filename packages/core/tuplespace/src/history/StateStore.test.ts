import { blake2b256 } from "@vedette/crypto";
import { expect, test } from "vitest";
import { dataKey } from "../leaf/historyKey.js";
import { memoryStateStore } from "./memoryStateStore.js";
import { emptyRoot, updateTree } from "./updateTree.js";

test("what is held of the states does not grow with their number", () => {
  const states = memoryStateStore();
  let root = emptyRoot;
  const commit = (number: number): void => {
    const actions = Array.from({ length: 8 }, (_, index) => {
      const hash = blake2b256(new TextEncoder().encode(`${number} ${index}`));
      // The same channels again and again: each has its datum replaced.
      return { key: dataKey(blake2b256(Uint8Array.of(index))), value: hash };
    });
    const { root: next, newNodes } = updateTree(states, root, actions);
    states.commit({ root: next, newNodes, newLeaves: [] });
    root = next;
  };
  const most = (from: number, to: number): number => {
    let bytes = 0;
    for (let number = from; number < to; number += 1) {
      commit(number);
      bytes = Math.max(bytes, states.memoryBytes);
    }
    return bytes;
  };
  const early = most(0, 200);
  expect(most(200, 2_000)).toBe(early);
});
