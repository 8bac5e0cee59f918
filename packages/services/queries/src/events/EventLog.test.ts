import { TestDag } from "@vedette/chain/testing";
import { expect, test } from "vitest";
import { EventLog } from "./EventLog.js";

test("a log that begins at a state has the blocks that are higher than the first one", () => {
  const made = new TestDag({ a: 1, b: 1 });
  const { dag, store, genesis } = made;
  const all = { a: genesis, b: genesis };
  const below = made.add({ creator: "a", parents: [genesis], justifications: all });
  const first = made.add({ creator: "b", parents: [below], justifications: { ...all, a: below } });
  const higher = made.add({ creator: "a", parents: [first], justifications: { a: below, b: first } });
  const log = new EventLog({ store, newId: () => new Uint8Array(8), hasOneParent: false });
  log.open(dag, 0.1);
  store.write((tables) => log.record(tables, { type: "begun", block: dag.require(first.hash) }));
  const entries = Array.from({ length: log.newest() }, (_, index) => log.read(index + 1));
  expect(entries).toMatchObject([
    { kind: "chainStarted", hash: first.hash },
    { kind: "blockAdded", hash: higher.hash },
  ]);
});
