import { hashKey } from "@vedette/protocol";
import { expect, test } from "vitest";
import { TestDag, testDeploy } from "../../testing/TestDag.js";
import { BlockLineage } from "./blockLineage.js";

test("each body is read once, and again after its facts left the cache", () => {
  const dag = new TestDag({ a: 1 });
  const blocks = [1, 2, 3].map((id) =>
    dag.add({
      creator: "a",
      parents: [dag.genesis],
      justifications: {},
      deploys: [testDeploy(id), testDeploy(id + 9)],
    }),
  );
  let reads = 0;
  const find = (hash: Uint8Array) => {
    reads += 1;
    return dag.blockOf(hash);
  };
  const lineage = new BlockLineage({ find }, 16);
  const read = (index: number) => [...lineage.factsOf(blocks[index]!.hash).included];
  expect(read(0)).toEqual([1, 10].map((id) => hashKey(testDeploy(id).signature)));
  read(1);
  read(0);
  expect(reads).toBe(2);
  read(2);
  read(0);
  expect(reads).toBe(3);
  read(1);
  expect(reads).toBe(4);
});
