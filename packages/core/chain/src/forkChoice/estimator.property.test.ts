import { compareBytes } from "@vedette/crypto";
import { type Block, hashKey } from "@vedette/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { Dag } from "../dag/Dag.js";
import { weightsOf } from "../finality/faultTolerance.js";
import { TestDag } from "../testing/TestDag.js";
import { estimateTips } from "./estimator.js";

const names = ["a", "b", "c", "d"] as const;
const limits = { maximumParents: 2147483647, maximumParentDepth: undefined };

/** The creator of a block and its parents, of the newest blocks. */
const anyBlock = fc.record({
  creator: fc.integer({ min: 0, max: names.length - 1 }),
  parents: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 3 }),
});
const anyDag = fc.record({
  stakes: fc.tuple(...names.map(() => fc.integer({ min: 0, max: 3 }))),
  blocks: fc.array(anyBlock, { maxLength: 25 }),
});

/** The chapter's words: scores for all blocks, then up from the common ancestor until nothing changes. */
function plainTips(dag: Dag, from: BlockMetadata): string[] {
  const scores = new Map<string, bigint>();
  for (const { validator, hash } of dag.latestMessages()) {
    const below = new Map<string, BlockMetadata>();
    const visit = (block: BlockMetadata) => {
      if (below.has(block.key)) return;
      below.set(block.key, block);
      if (block.number >= from.number) for (const parent of block.parents) visit(dag.require(parent));
    };
    visit(dag.require(hash));
    for (const block of below.values())
      scores.set(
        block.key,
        (scores.get(block.key) ?? 0n) + (weightsOf(dag, block).stakes.get(hashKey(validator)) ?? 0n),
      );
  }
  for (let ranked = [from]; ; ) {
    const next = new Map<string, BlockMetadata>();
    for (const block of ranked) {
      const children = dag.children(block.hash).filter((child) => scores.has(hashKey(child)));
      for (const child of children.length === 0 ? [block.hash] : children) next.set(hashKey(child), dag.require(child));
    }
    const scoreOf = ({ key }: BlockMetadata) => Number(scores.get(key) ?? 0n);
    const sorted = [...next.values()].sort(
      (one, other) => scoreOf(other) - scoreOf(one) || compareBytes(one.hash, other.hash),
    );
    if (sorted.map(({ key }) => key).join() === ranked.map(({ key }) => key).join())
      return sorted.map(({ key }) => key);
    ranked = sorted;
  }
}

test("the tips are those that the chapter's steps come to", () => {
  let forked = 0;
  fc.assert(
    fc.property(anyDag, ({ stakes, blocks }) => {
      const made = new TestDag(Object.fromEntries(names.map((name, index) => [name, stakes[index]!])));
      const all: Block[] = [made.genesis];
      for (const { creator, parents } of blocks) {
        const chosen = [...new Set(parents.map((back) => all.at(-1 - back) ?? made.genesis))];
        all.push(made.next(names[creator]!, chosen));
      }
      const { dag } = made;
      const { tips, commonAncestor } = estimateTips(dag, dag.require(made.genesis.hash), dag.latestMessages(), limits);
      if (tips.length > 1) forked += 1;
      expect(tips.map(hashKey)).toEqual(plainTips(dag, dag.require(commonAncestor)));
    }),
    { numRuns: 300 },
  );
  expect(forked).toBeGreaterThan(100);
});
