import { blake2b256 } from "@vedette/crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { noEventSets } from "../eventIndex.js";
import { rejectionOptions } from "../resolveConflicts.js";
import { emptyStateChange } from "../stateChange.js";
import { cheapestRejection, compareRejections } from "./cheapestRejection.js";
import { type LossesOf, noLosses } from "./losses.js";
import { compareBranches, compareChains, type MergeChain } from "./MergeChain.js";

function chain(id: number, cost: number): MergeChain {
  return {
    deploys: [{ id: Uint8Array.of(id), cost: BigInt(cost) }],
    events: noEventSets,
    numbers: new Map(),
    change: emptyStateChange,
    source: { hash: blake2b256(Uint8Array.of(id)), number: 1n, postState: Uint8Array.of(id) },
  };
}

/** Branches of one or two chains with costs that are often equal, which of them conflict, and what they lost before. */
const anyCase = fc
  .array(fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 2 }), { minLength: 2, maxLength: 8 })
  .chain((costs) => {
    const anyBranch = fc.nat({ max: costs.length - 1 });
    return fc.tuple(
      fc.constant(costs),
      fc.array(fc.tuple(anyBranch, anyBranch), { maxLength: 7 }),
      fc.array(fc.nat({ max: 3 }), { minLength: 16, maxLength: 16 }),
    );
  });

test.each([
  { name: "nothing was lost before", count: () => 0 },
  { name: "chains were lost before", count: (lost: readonly number[], id: number) => lost[id - 1]! },
])("group by group it is what is cheapest of all ways together: $name", ({ count }) => {
  let groups = 0;
  fc.assert(
    fc.property(anyCase, ([costs, pairs, lost]) => {
      const losses: LossesOf = ({ deploys }) => count(lost, deploys[0]!.id[0]!);
      let id = 0;
      const branches = costs
        .map((branch) => branch.map((cost) => chain((id += 1), cost)).sort(compareChains))
        .sort(compareBranches);
      const conflicts = new Map(branches.map((_, index) => [index, new Set<number>()]));
      for (const [one, other] of pairs.filter(([left, right]) => left !== right)) {
        conflicts.get(one)!.add(other);
        conflicts.get(other)!.add(one);
      }
      const all = rejectionOptions(conflicts);
      const best = (all.length === 0 ? [new Set<number>()] : all).reduce((one, other) =>
        compareRejections(branches, { left: other, right: one, losses }) < 0 ? other : one,
      );
      const found = cheapestRejection(branches, conflicts, losses);
      expect([...found].sort()).toEqual([...best].sort());
      if (all.length > 3) groups += 1;
    }),
    { numRuns: 1_000 },
  );
  expect(groups).toBeGreaterThan(50);
});

test("many groups are no more than their sum", () => {
  const branches = Array.from({ length: 120 }, (_, index) => [chain(index, 1)]).sort(compareBranches);
  const conflicts = new Map(branches.map((_, index) => [index, new Set([index ^ 1])]));
  expect(cheapestRejection(branches, conflicts, noLosses).size).toBe(60);
});
