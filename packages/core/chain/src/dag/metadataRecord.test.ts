import { expect, test } from "vitest";
import { ChainError } from "../ChainError.js";
import { encodeEarlierMetadata } from "../testing/earlierMetadata.js";
import { TestDag } from "../testing/TestDag.js";
import type { BlockMetadata } from "./BlockMetadata.js";
import { Dag } from "./Dag.js";
import { MetadataRewriting } from "./MetadataRewriting.js";

/** Blocks of bonded validators, of one that is not, with other bonds, and an invalid one. */
function madeDag(): TestDag {
  const made = new TestDag({ a: 3, b: 2, c: 1 });
  const { genesis } = made;
  const first = made.add({ creator: "a", parents: [genesis], justifications: { a: genesis, b: genesis, c: genesis } });
  const second = made.add({
    creator: "b",
    parents: [first],
    justifications: { a: first, b: genesis, stranger: genesis },
  });
  const bonds = { a: 3, b: 0, d: 9 };
  const third = made.add({ creator: "a", parents: [second], justifications: { a: first, b: second }, bonds });
  made.add({ creator: "stranger", parents: [third], justifications: { a: third, b: second }, invalid: true });
  return made;
}

function contentOf(dag: Dag): readonly unknown[] {
  return dag.blocksByPrefix("", 100).map((block: BlockMetadata) => {
    const { hash, parents, sender, justifications, number, sequenceNumber, timestamp, statement } = block;
    const { preStateHash, postStateHash, invalid, finalized, directlyFinalized, finalizedAt, bonds } = block;
    return {
      ...{ hash, parents, sender, justifications, number, sequenceNumber, timestamp, statement },
      ...{ preStateHash, postStateHash, invalid, finalized, directlyFinalized, finalizedAt },
      bonds: bonds.bonds,
    };
  });
}

test("what is known of blocks is read again, and bonds are stored once for all blocks that have them", () => {
  const { dag, store } = madeDag();
  expect(contentOf(new Dag(store))).toEqual(contentOf(dag));
  expect(store.table("bondSets").count()).toBe(2);
});

test("records of earlier versions are read, and written as this one does", () => {
  const { dag, store } = madeDag();
  const before = contentOf(dag);
  const present = [...store.table("blockMetadata").range()];
  store.write((tables) => {
    for (const [hash] of present) tables("blockMetadata").put(hash, encodeEarlierMetadata(dag.require(hash)));
    for (const [hash] of [...store.table("bondSets").range()]) tables("bondSets").delete(hash);
  });
  expect(contentOf(new Dag(store))).toEqual(before);
  const rewriting = new MetadataRewriting(store);
  expect(rewriting.step()).toEqual({ looked: 5, written: 5 });
  expect(rewriting.step()).toEqual({ looked: 0, written: 0 });
  expect(new MetadataRewriting(store).step()).toEqual({ looked: 5, written: 0 });
  expect([...store.table("blockMetadata").range()]).toEqual(present);
  expect(contentOf(new Dag(store))).toEqual(before);
});

test("a block with missing or other bonds is damaged", () => {
  for (const bytes of [undefined, Uint8Array.of(0x0a, 1, 7)]) {
    const { genesis, store } = madeDag();
    store.write((tables) => {
      for (const [hash] of [...store.table("bondSets").range()])
        if (bytes === undefined) tables("bondSets").delete(hash);
        else tables("bondSets").put(hash, bytes);
    });
    expect(() => new Dag(store).require(genesis.hash)).toThrow(ChainError);
  }
});

test("a block's record has the newest block of the moment in which it became final, also read again", () => {
  const made = new TestDag({ a: 3, b: 2 });
  const { dag, genesis, store } = made;
  const grow = (parent: typeof genesis, timestamp: bigint) =>
    made.add({ creator: "a", parents: [parent], justifications: { a: parent }, timestamp });
  const first = grow(genesis, 1_000n);
  const second = grow(first, 2_000n);
  const third = grow(second, 3_000n);
  // Beside the highest block, later than it; and a higher one that is invalid.
  made.add({ creator: "b", parents: [second], justifications: { b: genesis }, timestamp: 3_500n });
  made.add({ creator: "b", parents: [third], justifications: { b: genesis }, timestamp: 9_000n, invalid: true });
  const finalize = (block: typeof genesis, ancestors: readonly (typeof genesis)[] = []) =>
    dag.recordFinalized(
      dag.require(block.hash),
      ancestors.map(({ hash }) => dag.require(hash)),
    );
  finalize(second, [first]);
  const fourth = grow(third, 2_900n);
  finalize(fourth, [third, second]);
  const momentsIn = (read: Dag) =>
    [genesis, first, second, third, fourth].map(({ hash }) => read.require(hash).finalizedAt);
  const [then, now] = [
    { height: 3n, timestamp: 3_500n },
    { height: 4n, timestamp: 2_900n },
  ];
  // The network decided about the block with which the chain begins. What is final stays as it was decided.
  const moments = [undefined, then, then, now, now];
  expect(momentsIn(dag)).toEqual(moments);
  expect(momentsIn(new Dag(store))).toEqual(moments);
});

test("the moment of finality takes six bytes of a block's record at most", () => {
  const made = new TestDag({ a: 1 });
  const { dag, genesis, store } = made;
  const size = (hash: Uint8Array) => store.table("blockMetadata").get(hash)!.length;
  const on = { creator: "a", justifications: { a: genesis } };
  const block = made.add({ ...on, parents: [genesis], timestamp: 1_700_000_000_000n });
  made.add({ ...on, parents: [block], timestamp: 1_700_000_016_000n });
  const before = size(block.hash);
  dag.recordFinalized(dag.require(block.hash), []);
  const flags = 4;
  expect(size(block.hash) - before - flags).toBeLessThanOrEqual(6);
});
