import { toHex } from "@vedette/crypto";
import { type Block, hashKey } from "@vedette/protocol";
import { runs } from "@vedette/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ChainError } from "../../ChainError.js";
import { PlainFloors } from "../../testing/PlainFloors.js";
import { TestDag, testDeploy } from "../../testing/TestDag.js";
import { BlockLineage } from "./blockLineage.js";
import { MemoryFloorCache } from "./FloorCache.js";
import { Floors } from "./Floors.js";
import { neededClique } from "./neededClique.js";
import { StateLineage } from "./StateLineage.js";

const names = ["a", "b", "c", "d"] as const;
const stakes = { a: 3, b: 4, c: 5, d: 4 };

/** The creator of a block, the newest blocks that it has not received, its number of parents, its content. */
const anyBlock = fc.record({
  creator: fc.integer({ min: 0, max: names.length - 1 }),
  missed: fc.tuple(...names.map(() => fc.constantFrom(0, 0, 0, 0, 0, 0, 1, 2))),
  parents: fc.integer({ min: 1, max: 4 }),
  first: fc.constantFrom(0, 0, 0, 0, 0, 1),
  base: fc.constantFrom("main", "main", "main", "floor", "other"),
  deploy: fc.option(fc.integer({ min: 1, max: 5 })),
  applied: fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 2 }),
  rebonds: fc.boolean(),
});
type Facts = typeof anyBlock extends fc.Arbitrary<infer Value> ? Value : never;

/** Makes blocks one after the other, and compares the rules with the plain model for each. */
class Scene {
  readonly made = new TestDag(stakes);
  readonly plain: PlainFloors;
  readonly floors: Floors;
  private readonly own: Block[][];

  constructor(tolerance: bigint) {
    const { dag, genesis } = this.made;
    const lineage = new StateLineage(dag, new BlockLineage({ find: (hash) => this.made.blockOf(hash) }));
    this.floors = new Floors({ dag, lineage, cache: new MemoryFloorCache(), tolerance: () => tolerance });
    this.plain = new PlainFloors(tolerance);
    this.plain.add(genesis);
    this.own = names.map(() => [genesis]);
  }

  /** @returns the block, unless it would have several parents of which none can be built upon */
  add(facts: Facts, mayRebond: boolean): Block {
    const { creator, missed, first, deploy, applied } = facts;
    const received = this.own.map((blocks, index) => blocks.at(-1 - (index === creator ? 0 : missed[index]!))!);
    const justified = received.map((block) => block ?? this.made.genesis);
    const sorted = [...new Set(justified)].sort((left, right) => Number(right.number - left.number));
    const tips = [...sorted.slice(first), ...sorted.slice(0, first)].slice(0, facts.parents);
    const block = this.made.add({
      creator: names[creator]!,
      parents: tips,
      justifications: Object.fromEntries(names.map((name, index) => [name, justified[index]!])),
      deploys: deploy === null ? [] : [testDeploy(deploy)],
      appliedFromScope: applied.map((id) => testDeploy(id).signature),
      ...(tips.length > 1 ? { mergeBase: this.base(facts, tips) } : {}),
      ...(mayRebond && facts.rebonds ? { bonds: { ...stakes, a: 9 } } : {}),
    });
    this.plain.add(block);
    this.own[creator]!.push(block);
    return block;
  }

  private base({ base }: Facts, tips: readonly Block[]): Block {
    if (base === "other") return tips[1]!;
    const floor = base === "floor" ? this.plain.floorOf(tips[0]!) : "unsafe";
    return floor === "unsafe" ? tips[0]! : floor;
  }

  derive({ hash }: Block): { readonly floor: string; readonly frontier: string | undefined } | "unsafe" {
    const { dag } = this.made;
    const block = dag.require(hash);
    try {
      const parents = block.parents.map((parent) => dag.require(parent));
      const { floor, frontier } = this.floors.derive({ parents, justifications: block.justifications });
      expect(this.floors.floorOf(block).key).toBe(floor.key);
      return { floor: toHex(floor.hash), frontier: toHex(frontier.hash) };
    } catch (error) {
      if (error instanceof ChainError && error.failure.code === "floorUnsafe") return "unsafe";
      throw error;
    }
  }
}

test("floors and frontiers are those that the chapter's words give", () => {
  const seen = { unsafe: 0, moved: 0, below: 0 };
  const tolerance = fc.constantFrom(0n, 100_000n, 333_333n, 500_000n);
  fc.assert(
    fc.property(
      fc.array(anyBlock, { minLength: 10, maxLength: 40 }),
      tolerance,
      fc.boolean(),
      (blocks, theta, rebond) => {
        const scene = new Scene(theta);
        for (const facts of blocks) {
          const block = scene.add(facts, rebond);
          const expected = scene.plain.floorOf(block);
          const derived = scene.derive(block);
          if (expected === "unsafe" || derived === "unsafe") {
            expect(derived).toBe(expected);
            seen.unsafe += 1;
            return;
          }
          expect(derived.floor).toBe(toHex(expected.hash));
          expect(derived.frontier).toBe(toHex(scene.plain.frontierOf(block)!.hash));
          if (expected.number > 0n) seen.moved += 1;
          if (derived.floor !== derived.frontier) seen.below += 1;
        }
      },
    ),
    { numRuns: runs(8, 25) },
  );
  // Hardly ever nothing is safe: `unsafe` may well be 0.
  expect(Math.min(seen.moved, seen.below)).toBeGreaterThan(runs(10, 50));
});

test("a state contains another one if it has all effects that came into that one since they parted", () => {
  const seen = { yes: 0, no: 0 };
  fc.assert(
    fc.property(fc.array(anyBlock, { minLength: 5, maxLength: 14 }), (blocks) => {
      const scene = new Scene(0n);
      const { dag } = scene.made;
      const lineage = new StateLineage(dag, new BlockLineage({ find: (hash) => scene.made.blockOf(hash) }));
      const all = [scene.made.genesis, ...blocks.map((facts) => scene.add(facts, false))];
      for (const one of all)
        for (const other of all) {
          const expected = scene.plain.contains(one, other);
          expect(lineage.contains(dag.require(one.hash), dag.require(other.hash))).toBe(expected);
          seen[expected ? "yes" : "no"] += 1;
        }
    }),
    { numRuns: runs(12, 40) },
  );
  expect(Math.min(seen.yes, seen.no)).toBeGreaterThan(runs(40, 300));
});

test("the search for the effect of a deploy in a state ends at the lowest requested height", () => {
  const dag = new TestDag({ a: 1 });
  const lineage = new StateLineage(dag.dag, new BlockLineage({ find: (hash) => dag.blockOf(hash) }));
  const one = dag.add({ creator: "a", parents: [dag.genesis], justifications: {}, deploys: [testDeploy(1)] });
  const two = dag.add({ creator: "a", parents: [one], justifications: { a: one } });
  const holds = (id: number, lowest: bigint) =>
    lineage.holdsEffect(dag.dag.require(two.hash), hashKey(testDeploy(id).signature), lowest);
  expect([holds(1, 0n), holds(1, 1n), holds(1, 2n), holds(2, 0n)]).toEqual([true, true, false, false]);
});

test("the clique that is needed is the least that reaches the tolerance, without rounding", () => {
  const anyStake = fc.bigInt({ min: 1n, max: 1n << 62n });
  const anyTolerance = fc.bigInt({ min: 0n, max: 1_000_000n });
  fc.assert(
    fc.property(anyStake, anyTolerance, (total, tolerance) => {
      const reaches = (clique: bigint) => 2n * clique * 1_000_000n >= total * (1_000_000n + tolerance);
      const needed = neededClique(total, tolerance);
      expect(reaches(needed)).toBe(true);
      expect(reaches(needed - 1n)).toBe(false);
    }),
  );
});
