import { type Block, hashKey } from "@vedette/protocol";
import { runs } from "@vedette/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import { commonAncestor } from "../dag/commonAncestor.js";
import { forkPatienceMs, heaviestTip } from "../forkChoice/heaviestTip.js";
import { foldedAncestor, steppedFinalized, steppedTip } from "../testing/steppedChoices.js";
import { TestDag, validatorKey } from "../testing/TestDag.js";
import { findFinalized } from "./finalizer.js";

const names = ["a", "b", "c", "d", "e"] as const;
const weights = { a: 3, b: 4, c: 5, d: 4, e: 2 };

/** The creator of a block, its parents, and the newest blocks that it has not received; a few state a low height. */
const anyBlock = fc.record({
  creator: fc.integer({ min: 0, max: names.length - 1 }),
  parents: fc.uniqueArray(fc.constantFrom(0, 0, 0, 1, 1, 2, 3, 4), { minLength: 1, maxLength: 3 }),
  missed: fc.tuple(...names.map(() => fc.constantFrom(0, 0, 0, 1, 1, 2, 3))),
  isLow: fc.integer({ min: 0, max: 30 }).map((value) => value === 0),
  rebonds: fc.integer({ min: 0, max: 9 }).map((value) => value === 0),
});
type Facts = typeof anyBlock extends fc.Arbitrary<infer Value> ? Value : never;

function madeOf(facts: readonly Facts[]): TestDag {
  const made = new TestDag(weights);
  const all: Block[] = [made.genesis];
  const own = names.map(() => [made.genesis]);
  for (const { creator, parents, missed, isLow, rebonds } of facts) {
    const received = (index: number) => own[index]!.at(-1 - (index === creator ? 0 : missed[index]!)) ?? made.genesis;
    const block = made.add({
      ...{ creator: names[creator]!, timestamp: BigInt(all.length * 1_000) },
      justifications: Object.fromEntries(names.map((name, index) => [name, received(index)])),
      parents: [...new Set(parents.map((back) => all.at(-1 - back) ?? made.genesis))],
      ...(isLow ? { number: 1n, invalid: true } : {}),
      ...(rebonds ? { bonds: { ...weights, a: 9 } } : {}),
    });
    all.push(block);
    own[creator]!.push(block);
  }
  return made;
}

const anyDag = fc.array(anyBlock, { minLength: 8, maxLength: 45 });

test("a final block is the one that rnode's steps find first, from any height", () => {
  const seen = { found: 0, above: 0 };
  const anyThreshold = fc.constantFrom(-1, 0, 0.1, 0.3, 0.6);
  fc.assert(
    fc.property(anyDag, anyThreshold, fc.integer({ min: -1, max: 6 }), (facts, threshold, height) => {
      const { dag, genesis } = madeOf(facts);
      const last = { ...dag.require(genesis.hash), number: BigInt(height) } as BlockMetadata;
      const view = {
        ...{ judgesByEvidence: false, hasSlashingEvidence: () => false, lastFinalized: () => last },
        ...{ find: (hash: Uint8Array) => dag.find(hash), require: (hash: Uint8Array) => dag.require(hash) },
        ...{ latestMessage: (key: string) => dag.latestMessage(key), latestMessages: () => dag.latestMessages() },
      };
      const expected = steppedFinalized(view, threshold);
      expect(findFinalized(view, threshold, () => false)?.key).toBe(expected?.key);
      if (expected !== undefined) seen.found += 1;
      if (expected !== undefined && expected.number > 0n) seen.above += 1;
    }),
    { numRuns: runs(150, 3_000) },
  );
  expect(Math.min(seen.found, seen.above)).toBeGreaterThan(20);
});

test("the heaviest tip and the common ancestor are those that each validator's chain by itself gives", () => {
  fc.assert(
    fc.property(anyDag, fc.constantFrom(...names), fc.constantFrom(0, 5_000, 50_000), (facts, name, patience) => {
      const { dag } = madeOf(facts.map((one) => ({ ...one, isLow: false })));
      const latest = dag.latestMessages();
      const blocks = latest.map(({ hash }) => dag.require(hash));
      const ancestor = foldedAncestor(dag, blocks);
      expect(commonAncestor(dag, blocks)?.key).toBe(ancestor.key);
      const chooser = { validatorKey: hashKey(validatorKey(name)), nowMs: forkPatienceMs + patience };
      expect(heaviestTip(dag, ancestor, latest, chooser).key).toBe(steppedTip(dag, ancestor, latest, chooser).key);
    }),
    { numRuns: runs(150, 3_000) },
  );
});
