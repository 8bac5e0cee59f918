import { hashKey } from "@vedette/protocol";
import { expect, test } from "vitest";
import { TestDag, validatorKey } from "../testing/TestDag.js";
import { bondingFirst, genesisFirst } from "./firstMessage.js";

test.each([
  ["the block that bonds it", bondingFirst, false],
  ["genesis, on f1r3node networks", genesisFirst, true],
])("the latest message of a validator that has made no block is %s", (_, rule, isGenesis) => {
  const dag = new TestDag({ v1: 10 }, rule);
  const latest = (name: string) => dag.dag.latestMessage(hashKey(validatorKey(name)));
  expect(latest("v1")).toEqual(dag.genesis.hash);
  const bonding = dag.add({
    ...{ creator: "v1", parents: [dag.genesis], justifications: { v1: dag.genesis } },
    bonds: { v1: 10, v2: 5 },
  });
  expect(latest("v1")).toEqual(bonding.hash);
  expect(latest("v2")).toEqual(isGenesis ? dag.genesis.hash : bonding.hash);
});
