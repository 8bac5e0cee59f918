import { expect, test } from "vitest";
import { TestDag } from "../testing/TestDag.js";

test("the next number is above every valid block, also after a change of mind and a transaction that was undone", () => {
  const made = new TestDag({ a: 1 });
  const { dag, genesis, store } = made;
  const on = { creator: "a", parents: [genesis], justifications: { a: genesis } };
  expect(dag.nextBlockNumber()).toBe(1n);
  made.add(on);
  expect(dag.nextBlockNumber()).toBe(2n);
  const invalid = made.add({ ...on, number: 9n, invalid: true });
  expect(dag.nextBlockNumber()).toBe(2n);
  dag.revise(invalid.hash, "it was invalid");
  made.add({ ...on, timestamp: 7n });
  expect(dag.nextBlockNumber()).toBe(10n);
  const undone = () =>
    store.together(() => {
      made.add({ ...on, number: 20n });
      expect(dag.nextBlockNumber()).toBe(21n);
      throw new Error("undone");
    });
  expect(undone).toThrow("undone");
  dag.reload();
  expect(dag.nextBlockNumber()).toBe(10n);
});
