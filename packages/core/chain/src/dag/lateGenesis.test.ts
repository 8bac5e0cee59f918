import { hashKey } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { expect, test } from "vitest";
import { TestDag, validatorKey } from "../testing/TestDag.js";
import { Dag } from "./Dag.js";
import { genesisFirst } from "./firstMessage.js";

test("genesis that comes late is the latest message of the validators without a block, and of no others", () => {
  const made = new TestDag({ a: 10 });
  const { genesis } = made;
  const begun = made.make({ creator: "a", parents: [genesis], justifications: { a: genesis }, number: 10n });
  const bonding = made.make({
    ...{ creator: "a", parents: [begun], justifications: { a: begun }, number: 11n },
    bonds: { a: 10, b: 20 },
  });
  const dag = new Dag(new MemoryStore(tablesOf("chain")), undefined, genesisFirst);
  const latestOf = (name: string) => hashKey(dag.latestMessage(hashKey(validatorKey(name)))!);
  dag.insert(begun, { invalid: false, approved: true });
  dag.insert(bonding, { invalid: false, approved: false });
  expect(latestOf("b")).toBe(hashKey(bonding.hash));
  dag.insert(genesis, { invalid: false, approved: false });
  expect([latestOf("a"), latestOf("b")]).toEqual([hashKey(bonding.hash), hashKey(genesis.hash)]);
});

test.each([
  ["has a creator", { creator: "c" }, false],
  ["is invalid", { creator: "" }, true],
  ["comes second", { creator: "" }, false],
] as const)("a block of height 0 that %s is no latest message of others", (_, { creator }, invalid) => {
  const made = new TestDag({ a: 10, b: 20 });
  const dag = new Dag(new MemoryStore(tablesOf("chain")), undefined, genesisFirst);
  dag.insert(made.genesis, { invalid: false, approved: true });
  const other = made.make({ creator, parents: [], justifications: {}, number: 0n });
  dag.insert(other, { invalid, approved: false });
  for (const name of ["a", "b"]) expect(dag.latestMessage(hashKey(validatorKey(name)))).toEqual(made.genesis.hash);
});
