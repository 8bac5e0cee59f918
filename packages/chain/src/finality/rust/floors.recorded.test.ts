import { equalBytes, fromHex, toHex } from "@vedette/crypto";
import type { Block } from "@vedette/protocol";
import { describe, expect, test } from "vitest";
import { unfinalizedAncestors } from "../../dag/ancestors.js";
import { floorRejections } from "../../outcome/floorRejections.js";
import { findRejection, takeFinality } from "../../outcome/rejectedDeploys.js";
import { type NewerBlock, NewerDag, newerChain } from "../../testing/newerChain.js";
import { faultTolerance } from "../faultTolerance.js";
import { floorFinality } from "./floorFinality.js";
import { shownTolerance } from "./shownTolerance.js";

describe.each([
  ["solo-r", 33, 0n],
  ["trio-r", 25, 100_000n],
])(`chain %s of the newer node`, (chain, count, tolerance) => {
  const recorded = (): readonly NewerBlock[] => newerChain(chain);

  test("every block has the floor and the frontier that were recorded", () => {
    const node = new NewerDag(tolerance);
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
    const node = new NewerDag(tolerance);
    const rules = floorFinality(node.floors, node.lineage);
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
      const shown = shownTolerance(node.dag.require(fromHex(hash)), node.dag, tolerance);
      if (finalized) expect(shown).toBeGreaterThanOrEqual(Math.min(kept, Math.fround(Number(tolerance) / 1e6)));
      else expect(shown).toBe(0);
    }
  });

  test("a deploy of a final block is rejected exactly where its effect is not in the final state", () => {
    const node = new NewerDag(tolerance);
    const { dag, store } = node;
    const rules = floorFinality(node.floors, node.lineage);
    const find = floorRejections(node.facts, node);
    const all = recorded();
    const seen = { rejected: 0, restored: 0 };
    const wrong: string[] = [];
    for (const { block } of [...all].sort(inOrderOfArrival)) {
      node.insert(block);
      const found = rules.findFinalized(dag);
      if (found === undefined) continue;
      const ancestors = unfinalizedAncestors(dag, found);
      const finality = { dag, block: found, ancestors, threshold: 0 };
      store.write((tables) => {
        const { rejected, restored } = takeFinality(tables, finality, find);
        seen.rejected += rejected.length;
        seen.restored += restored.length;
      });
      dag.recordFinalized(found, ancestors);
      const effects = effectsOf(node, found.hash);
      for (const { block: other } of all) {
        if (dag.find(other.hash)?.finalized !== true) continue;
        for (const { deploy, failed } of other.body.deploys) {
          const isRejected = findRejection(store, other.hash, deploy.signature) !== undefined;
          const isGone = !effects.has(toHex(deploy.signature));
          if (!failed && isRejected !== isGone) wrong.push(toHex(deploy.signature));
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(seen).toEqual({ rejected: chain === "trio-r" ? 9 : 0, restored: 0 });
  });
});

/** Signatures whose effects are in the state after a block, along the blocks that the state goes on from. */
function effectsOf(node: NewerDag, hash: Uint8Array): ReadonlySet<string> {
  const effects = new Set<string>();
  for (let at: Block | undefined = node.find(hash); at !== undefined; ) {
    const { deploys, appliedFromScope = [], mergeBase } = at.body;
    for (const { deploy, failed } of deploys) if (!failed) effects.add(toHex(deploy.signature));
    for (const signature of appliedFromScope) effects.add(toHex(signature));
    const base = mergeBase !== undefined && mergeBase.length > 0 ? mergeBase : at.parents[0];
    at = base === undefined ? undefined : node.find(base);
  }
  return effects;
}

/** By height; the recording node is v1, and v3 comes last. */
const arrival = ["", "0408fa62", "04c03387", "0464f18a"];

function inOrderOfArrival(left: NewerBlock, right: NewerBlock): number {
  const rank = ({ facts: { number, sender } }: NewerBlock) => number * 4 + arrival.indexOf(sender.slice(0, 8));
  return rank(left) - rank(right);
}
