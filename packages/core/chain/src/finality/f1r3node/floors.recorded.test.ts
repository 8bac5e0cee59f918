import { equalBytes, fromHex, toHex } from "@vedette/crypto";
import { describe, expect, test } from "vitest";
import { unfinalizedAncestors } from "../../dag/ancestors.js";
import { type F1r3nodeBlock, F1r3nodeDag, f1r3nodeChain } from "../../testing/f1r3nodeChain.js";
import { faultTolerance } from "../faultTolerance.js";
import { displayedFaultTolerance } from "./displayedFaultTolerance.js";
import { f1r3nodeFinality } from "./f1r3nodeFinality.js";

describe.each([
  ["solo-r", 33, 0n],
  ["trio-r", 25, 100_000n],
])(`chain %s of the newer node`, (chain, count, tolerance) => {
  const recorded = (): readonly F1r3nodeBlock[] => f1r3nodeChain(chain);

  test("every block has the floor and the frontier that were recorded", () => {
    const node = new F1r3nodeDag(tolerance);
    let compared = 0;
    for (const { block, facts } of recorded()) {
      node.insert(block);
      const metadata = node.dag.require(block.hash);
      const floor = node.floors.floorOf(metadata);
      expect(toHex(floor.hash)).toBe(facts.floor);
      if (block.number > 0n) {
        const parents = block.parents.map((hash) => node.dag.require(hash));
        const derived = node.floors.derive({ parents, justifications: block.justifications });
        expect(equalBytes(derived.floor.hash, floor.hash)).toBe(true);
        expect(toHex(derived.frontier.hash)).toBe(facts.frontier);
      }
      compared += 1;
    }
    expect(compared).toBe(count);
  });

  test("finality is what the recording node had, if its own blocks and the heaviest validator's came first", () => {
    const node = new F1r3nodeDag(tolerance);
    const rules = f1r3nodeFinality(node.floors, node.lineage);
    const tolerances = new Map<string, number>([[recorded()[0]!.facts.hash, 1]]);
    const direct = new Set<string>([recorded()[0]!.facts.hash]);
    for (const { block } of [...recorded()].sort(inOrderOfArrival)) {
      node.insert(block);
      const found = rules.findFinalized(node.dag);
      if (found === undefined) continue;
      const ancestors = unfinalizedAncestors(node.dag, found);
      const value = faultTolerance(node.dag, found.hash);
      for (const { hash } of [found, ...ancestors]) tolerances.set(toHex(hash), value);
      direct.add(toHex(found.hash));
      node.dag.recordFinalized(found, ancestors);
    }
    const expected = recorded().map(({ facts }) => facts);
    for (const { hash, finalized, directlyFinalized, faultTolerance: kept } of expected) {
      expect({
        hash,
        finalized: tolerances.has(hash),
        directlyFinalized: direct.has(hash),
        faultTolerance: tolerances.get(hash) ?? 0,
      }).toEqual({ hash, finalized, directlyFinalized, faultTolerance: kept });
      const shown = displayedFaultTolerance(node.dag.require(fromHex(hash)), node.dag, tolerance);
      if (finalized) expect(shown).toBeGreaterThanOrEqual(Math.min(kept, Math.fround(Number(tolerance) / 1e6)));
      else expect(shown).toBe(0);
    }
  });
});

/** By height; the recording node is v1, and v3 comes last. */
const arrival = ["", "0408fa62", "04c03387", "0464f18a"];

function inOrderOfArrival(left: F1r3nodeBlock, right: F1r3nodeBlock): number {
  const rank = ({ facts: { number, sender } }: F1r3nodeBlock) => number * 4 + arrival.indexOf(sender.slice(0, 8));
  return rank(left) - rank(right);
}
