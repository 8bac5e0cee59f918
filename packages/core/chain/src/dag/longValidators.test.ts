import { Block } from "@vedette/protocol";
import { expect, test } from "vitest";
import { TestDag, validatorKey } from "../testing/TestDag.js";

test("an invalid block that bonds names longer than any key of a table is recorded as any other", () => {
  const { dag, genesis, make } = testDag();
  const honest = make();
  const { body } = honest;
  const bonds = [
    ...body.state.bonds,
    ...[1_979, 3_000, 200_000].map((length) => ({ validator: new Uint8Array(length).fill(7), stake: 1n })),
  ];
  const block = new Block({ ...fieldsOf(honest), body: { ...body, state: { ...body.state, bonds } } });
  expect(dag.insert(block, { invalid: true, approved: false })).toBe(true);
  expect(dag.find(block.hash)?.invalid).toBe(true);
  expect(dag.latestMessages().map(({ validator }) => validator)).toEqual([validatorKey("a"), validatorKey("b")]);
  expect(dag.find(genesis.hash)?.finalized).toBe(true);
});

test("no block begins with more digits than a hash has", () => {
  const { dag, genesis } = testDag();
  const digits = Buffer.from(genesis.hash).toString("hex");
  expect(dag.blocksByPrefix(digits, 2).map(({ hash }) => hash)).toEqual([genesis.hash]);
  for (const more of ["0", "00", "00".repeat(2_000)]) expect(dag.blocksByPrefix(digits + more, 2)).toEqual([]);
});

function testDag() {
  const made = new TestDag({ a: 1, b: 1 });
  const { dag, genesis } = made;
  return { dag, genesis, make: () => made.make({ creator: "a", parents: [genesis], justifications: { a: genesis } }) };
}

function fieldsOf(block: Block) {
  const { hash, header, justifications, sender, sequenceNumber } = block;
  const { signature, signatureAlgorithm, shardId, extraBytes } = block;
  return { hash, header, justifications, sender, sequenceNumber, signature, signatureAlgorithm, shardId, extraBytes };
}
