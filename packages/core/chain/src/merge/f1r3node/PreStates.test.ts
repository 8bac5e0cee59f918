import { expect, test } from "vitest";
import { TestDag } from "../../testing/TestDag.js";
import type { FloorPreState } from "./FloorPreState.js";
import { PreStates } from "./PreStates.js";

const state: FloorPreState = {
  ...{ stateHash: new Uint8Array(32), records: [], applied: [], unslashed: [], mergeBase: undefined },
};

test("the same parents are merged once, others or with another floor by themselves, and again what failed", async () => {
  const made = new TestDag({ a: 1, b: 1 });
  const [one, other] = ["a", "b"].map((name) => made.dag.require(made.next(name, [made.genesis]).hash));
  const genesis = made.dag.require(made.genesis.hash);
  const preStates = new PreStates();
  let merges = 0;
  const merge = async () => {
    merges += 1;
    if (merges === 1) throw new TypeError("disk");
    return state;
  };
  await expect(preStates.of([one!, other!], genesis, merge)).rejects.toThrow("disk");
  for (let time = 0; time < 2; time += 1) expect(await preStates.of([one!, other!], genesis, merge)).toBe(state);
  expect(merges).toBe(2);
  await preStates.of([other!, one!], genesis, merge);
  await preStates.of([one!, other!], one!, merge);
  expect(merges).toBe(4);
});
