import { compareBytes } from "@vedette/crypto";
import { type Block, hashKey } from "@vedette/protocol";
import { expect, test } from "vitest";
import { TestDag, validatorKey } from "../testing/TestDag.js";
import { forkPatienceMs, heaviestTip } from "./heaviestTip.js";

const stakes = { v1: 100, v2: 100, v3: 100 };

/** Returns the block that a validator chooses on all latest messages. */
function choice(dag: TestDag, name: string, nowMs = 0): Block {
  const chooser = { validatorKey: hashKey(validatorKey(name)), nowMs };
  return dag.blockOf(heaviestTip(dag.dag, dag.dag.require(dag.genesis.hash), dag.dag.latestMessages(), chooser).hash);
}

/** Makes two sides on genesis; in the order of hashes the second one is first. */
function twoSides(dag: TestDag, first: string, second: string): [Block, Block] {
  const on = { parents: [dag.genesis], justifications: justified(dag) };
  const a = dag.add({ ...on, creator: first });
  for (;;) {
    const b = dag.make({ ...on, creator: second });
    if (compareBytes(b.hash, a.hash) > 0) continue;
    dag.dag.insert(b, { invalid: false, approved: false });
    return [a, b];
  }
}

function justified(dag: TestDag, change: Readonly<Record<string, Block>> = {}): Readonly<Record<string, Block>> {
  const { genesis } = dag;
  return { v1: genesis, v2: genesis, v3: genesis, ...change };
}

test("at a fork the side with most of the stake wins, however its stake is split among tips", () => {
  const dag = new TestDag(stakes);
  const [a, b] = twoSides(dag, "v3", "v1");
  const top = dag.add({ creator: "v2", parents: [a], justifications: justified(dag, { v3: a }) });
  // The tips of both sides have one validator behind them, and the hash speaks for the lighter side.
  expect(compareBytes(b.hash, a.hash)).toBeLessThan(0);
  for (const name of ["v1", "v2", "v3"]) expect(choice(dag, name, forkPatienceMs * 2)).toBe(top);
});

test("of equal sides that all have chosen, each validator takes the one with the smaller hash", () => {
  const dag = new TestDag({ v1: 100, v2: 100 });
  const [, b] = twoSides(dag, "v1", "v2");
  expect(choice(dag, "v1")).toBe(b);
  expect(choice(dag, "v2")).toBe(b);
});

test("before all have spoken a validator keeps to its own side for a while, and to no other", () => {
  const dag = new TestDag(stakes);
  const [a, b] = twoSides(dag, "v3", "v1");
  const madeMs = Number(dag.dag.require(a.hash).timestamp);
  expect(choice(dag, "v3", madeMs + forkPatienceMs - 1)).toBe(a);
  expect(choice(dag, "v3", madeMs + forkPatienceMs)).toBe(b);
  expect(choice(dag, "v2", madeMs)).toBe(b);
});

test("an own block on a side is what is waited for, not the side's first block", () => {
  const dag = new TestDag({ ...stakes, v4: 100 });
  const [a, b] = twoSides(dag, "v3", "v1");
  const own = dag.add({ creator: "v2", parents: [a], justifications: justified(dag, { v3: a }), timestamp: 50_000n });
  const heavier = dag.add({ creator: "v3", parents: [b], justifications: justified(dag, { v1: b, v3: a }) });
  expect(choice(dag, "v2", 50_000 + forkPatienceMs - 1)).toBe(own);
  expect(choice(dag, "v2", 50_000 + forkPatienceMs)).toBe(heavier);
});

test("more than half of the stake is followed at once, though some validators are silent", () => {
  const dag = new TestDag({ v1: 100, v2: 100, v3: 100, v4: 1 });
  const [a, b] = twoSides(dag, "v3", "v1");
  const top = dag.add({ creator: "v2", parents: [b], justifications: justified(dag, { v1: b }) });
  expect(choice(dag, "v3", Number(dag.dag.require(a.hash).timestamp))).toBe(top);
});

test("a second parent is no vote", () => {
  const dag = new TestDag({ v1: 100, v2: 100, v3: 30 });
  const [a, b] = twoSides(dag, "v1", "v2");
  const both = dag.add({ creator: "v3", parents: [a, b], justifications: justified(dag, { v1: a, v2: b }) });
  for (const name of ["v1", "v2", "v3"]) expect(choice(dag, name)).toBe(both);
  const further = dag.add({ creator: "v2", parents: [b], justifications: justified(dag, { v1: a, v2: b, v3: both }) });
  expect(choice(dag, "v3")).toBe(both);
  const away = dag.add({ creator: "v1", parents: [further], justifications: justified(dag, { v1: a, v2: further }) });
  expect(choice(dag, "v3")).toBe(away);
});

test("a main chain that does not lead to the ancestor has no vote", () => {
  const dag = new TestDag({ v1: 100, v2: 100 });
  const [a, b] = twoSides(dag, "v1", "v2");
  const chooser = { validatorKey: hashKey(validatorKey("v1")), nowMs: 0 };
  const from = (block: Block) =>
    dag.blockOf(heaviestTip(dag.dag, dag.dag.require(block.hash), dag.dag.latestMessages(), chooser).hash);
  expect(from(a)).toBe(a);
  expect(from(b)).toBe(b);
});
