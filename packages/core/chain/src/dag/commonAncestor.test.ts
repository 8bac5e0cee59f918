import type { Block } from "@vedette/protocol";
import { runs } from "@vedette/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { TestDag } from "../testing/TestDag.js";
import type { BlockMetadata } from "./BlockMetadata.js";
import { commonAncestor } from "./commonAncestor.js";
import type { DagView } from "./DagView.js";

const names = ["a", "b", "c", "d"] as const;
const stakes = { a: 1, b: 1, c: 1, d: 1 };

/** The highest block is replaced by its parents until one block is left. */
function plainAncestor(dag: DagView, blocks: readonly BlockMetadata[], above: bigint): BlockMetadata | undefined {
  const open = new Map(blocks.map((block) => [block.key, block]));
  while (open.size > 1) {
    const highest = [...open.values()].reduce((most, block) => (block.number > most.number ? block : most));
    if (highest.number <= above) return undefined;
    open.delete(highest.key);
    for (const hash of highest.parents) {
      const parent = dag.find(hash);
      if (parent !== undefined) open.set(parent.key, parent);
    }
  }
  return [...open.values()][0];
}

/** Several blocks upon all of the step before, or one of them upon some. */
const anyStep = fc.record({
  creators: fc.subarray([...names], { minLength: 1 }),
  parents: fc.integer({ min: 1, max: 4 }),
  above: fc.constantFrom(-1n, -1n, 0n, 2n, 5n),
});

test("the common ancestor is that of a walk from the beginning, after each block and for every height", () => {
  const seen = { above: 0, none: 0 };
  fc.assert(
    fc.property(fc.array(anyStep, { minLength: 5, maxLength: 20 }), (steps) => {
      const made = new TestDag(stakes);
      let tips: Block[] = [made.genesis];
      for (const { creators, parents, above } of steps) {
        const before = tips;
        tips = creators.map((creator) => made.add({ creator, parents: before.slice(0, parents), justifications: {} }));
        const { dag } = made;
        const latest = dag.latestMessages().map(({ hash }) => dag.require(hash));
        for (const blocks of [latest, tips.map(({ hash }) => dag.require(hash))]) {
          const expected = plainAncestor(dag, blocks, above);
          expect(commonAncestor(dag, blocks, above)).toBe(expected);
          if (expected === undefined) seen.none += 1;
          else if (expected.number > 0n) seen.above += 1;
        }
      }
    }),
    { numRuns: runs(50, 2_000) },
  );
  expect(Math.min(seen.above, seen.none)).toBeGreaterThan(20);
});

test("where validators make blocks at the same time, a search ends where the one before went on", () => {
  const made = new TestDag(stakes);
  let tips: Block[] = [made.genesis];
  let looked = 0;
  const counted = {
    find: (hash: Uint8Array, key?: string) => {
      looked += 1;
      return made.dag.find(hash, key);
    },
  };
  for (let step = 0; step < 50; step += 1) {
    const parents = tips;
    tips = names.map((creator) => made.add({ creator, parents, justifications: {} }));
    looked = 0;
    const blocks = tips.map(({ hash }) => made.dag.require(hash));
    expect(commonAncestor(counted, blocks)?.key).toBe(made.dag.require(made.genesis.hash).key);
  }
  expect(looked).toBeLessThan(3 * names.length);
});
