import type { Block } from "@vedette/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { TestDag } from "../testing/TestDag.js";
import { Agreement } from "./agreement.js";
import { Votes } from "./Votes.js";

const names = ["a", "b", "c", "d"] as const;

/** Who makes a block, on which of the newest blocks, and how many blocks of each it has not heard of. */
const anyBlock = fc.record({
  creator: fc.integer({ min: 0, max: names.length - 1 }),
  parent: fc.integer({ min: 0, max: 4 }),
  unheard: fc.tuple(...names.map(() => fc.integer({ min: 0, max: 3 }))),
});

function madeOf(facts: readonly { creator: number; parent: number; unheard: readonly number[] }[]): TestDag {
  const made = new TestDag(Object.fromEntries(names.map((name) => [name, 1])));
  const all: Block[] = [made.genesis];
  const own = names.map(() => [made.genesis]);
  for (const { creator, parent, unheard } of facts) {
    const heard = (index: number) => own[index]!.at(-1 - (index === creator ? 0 : unheard[index]!)) ?? made.genesis;
    const justifications = Object.fromEntries(names.map((name, index) => [name, heard(index)]));
    const block = made.add({
      ...{ creator: names[creator]!, justifications },
      parents: [all.at(-1 - parent) ?? made.genesis],
    });
    all.push(block);
    own[creator]!.push(block);
  }
  return made;
}

test("who agrees on a block is the same whether or not the blocks above it were looked at", () => {
  const seen = { connected: 0, apart: 0 };
  fc.assert(
    fc.property(fc.array(anyBlock, { minLength: 8, maxLength: 40 }), fc.integer(), (facts, asked) => {
      const { dag } = madeOf(facts);
      const votes = new Votes(dag);
      const pairs = names.flatMap((_, left) => names.map((__, right) => [left, right] as const));
      for (const { hash } of dag.latestMessages()) {
        let above: Agreement | undefined;
        for (let at = dag.find(hash), step = 0; at !== undefined; step += 1) {
          const agreement = new Agreement(votes, at, above);
          for (const [left, right] of pairs) {
            // Of some blocks not all is asked, as in a search that ends early.
            if (left === right || ((asked >> ((step + left + right) % 31)) & 1) === 1) continue;
            const isConnected = new Agreement(new Votes(dag), at).areConnected(left, right);
            seen[isConnected ? "connected" : "apart"] += 1;
            expect(agreement.areConnected(left, right)).toBe(isConnected);
          }
          above = agreement;
          at = at.mainParent === undefined ? undefined : dag.find(at.mainParent);
        }
      }
    }),
    { numRuns: 60 },
  );
  expect(Math.min(seen.connected, seen.apart)).toBeGreaterThan(1_000);
});
