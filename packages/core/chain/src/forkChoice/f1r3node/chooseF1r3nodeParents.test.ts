import { type Block, hashKey } from "@vedette/protocol";
import { describe, expect, test } from "vitest";
import { BlockLineage } from "../../finality/f1r3node/blockLineage.js";
import { MemoryFloorCache } from "../../finality/f1r3node/FloorCache.js";
import { Floors } from "../../finality/f1r3node/Floors.js";
import { StateLineage } from "../../finality/f1r3node/StateLineage.js";
import { f1r3node0445 } from "../../ruleSets/f1r3node0445.js";
import { TestDag, testDeploy, validatorKey } from "../../testing/TestDag.js";
import { chooseF1r3nodeParents } from "./chooseF1r3nodeParents.js";

function scene() {
  const made = new TestDag({ a: 10, b: 20, c: 30 });
  const { dag, genesis } = made;
  const facts = new BlockLineage({ find: (hash) => made.blockOf(hash) });
  const lineage = new StateLineage(dag, facts);
  const floors = new Floors({ dag, lineage, cache: new MemoryFloorCache(), tolerance: () => 0n });
  const on = (creator: string, parents: readonly Block[], deploys = [testDeploy(1)]): Block => {
    const justifications = { a: genesis, b: genesis, c: genesis };
    return made.add({
      creator,
      parents,
      justifications,
      deploys,
      ...(parents.length > 1 && { mergeBase: parents[0]! }),
    });
  };
  const choose = (
    latest: Readonly<Record<string, Block>>,
    limits: { most?: number; depth?: number; own?: string } = {},
  ) => {
    const votes = Object.entries(latest).map(([name, block]) => ({
      validator: validatorKey(name),
      block: dag.require(block.hash),
    }));
    const rules = { maximumParents: limits.most ?? 10, maximumParentDepth: limits.depth };
    const ownKey = hashKey(validatorKey(limits.own ?? "a"));
    const sources = { dag, floors, facts, rules, ruleSet: f1r3node0445 };
    const parents = chooseF1r3nodeParents(sources, dag.require(genesis.hash), { votes, ownKey });
    return parents.map(({ key }) => key);
  };
  const keysOf = (...blocks: readonly Block[]) => blocks.map(({ hash }) => hashKey(hash));
  const byHash = (...blocks: readonly Block[]) =>
    keysOf(...[...blocks].sort((one, other) => Buffer.compare(one.hash, other.hash)));
  return { genesis, on, choose, keysOf, byHash };
}

describe("the parents of a new block", () => {
  test("are the approved block where nothing else is known", () => {
    const { genesis, choose, keysOf } = scene();
    expect(choose({})).toEqual(keysOf(genesis));
  });

  test("begin with the tip that has most of the stake behind itself; the others come by their hashes", () => {
    const { genesis, on, choose, keysOf, byHash } = scene();
    const [a, b, c] = ["a", "b", "c"].map((name) => on(name, [genesis])) as [Block, Block, Block];
    expect(choose({ a, b, c })).toEqual([...keysOf(c), ...byHash(a, b)]);
    // The stakes 10 and 20 support one side, 30 the other. At its tip the first side has 10 alone.
    const above = on("a", [b]);
    expect(choose({ a: above, b, c })).toEqual([...keysOf(c), ...byHash(above, b)]);
  });

  test("are one block alone where it has all others below it and no deploys of users", () => {
    const { genesis, on, choose, keysOf } = scene();
    const [a, b] = ["a", "b"].map((name) => on(name, [genesis])) as [Block, Block];
    const quiet = on("c", [a, b], []);
    expect(choose({ a, b, c: quiet })).toEqual(keysOf(quiet));
    const busy = on("c", [a, b]);
    expect(choose({ a, b, c: busy })).toHaveLength(3);
  });

  test("are no more than allowed, the own one among them, and none far below another", () => {
    const { genesis, on, choose, keysOf } = scene();
    const [a, b, c] = ["a", "b", "c"].map((name) => on(name, [genesis])) as [Block, Block, Block];
    for (const own of ["a", "b", "c"] as const) {
      const chosen = choose({ a, b, c }, { most: 1, own });
      expect(chosen).toEqual(keysOf({ a, b, c }[own]));
    }
    let high = c;
    for (let height = 2; height <= 5; height += 1) high = on("c", [high]);
    expect(choose({ a, b, c: high }, { depth: 3 })).toEqual(keysOf(high));
    expect(choose({ a, b, c: high }, { depth: 4 })).toHaveLength(3);
  });
});
