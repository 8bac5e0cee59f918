import { type Block, hashKey } from "@vedette/protocol";
import { describe, expect, test } from "vitest";
import { unfinalizedAncestors } from "../dag/ancestors.js";
import type { DagView } from "../dag/DagView.js";
import { TestDag } from "../testing/TestDag.js";
import { creatorsFinality, finalityUpTo, noFinality } from "./MergeFinalityView.js";
import { mergeScope, mergeScopes } from "./scope.js";
import { aboveGate } from "./scopeOf.js";

/** Genesis, a block of each of two validators, and a block that merges them, twice. */
function diamonds() {
  const dag = new TestDag({ v1: 1, v2: 1 });
  const names = new Map<Block, string>([[dag.genesis, "g"]]);
  const add = (name: string, creator: string, ...parents: Block[]): Block => {
    const block = dag.next(creator, parents);
    names.set(block, name);
    return block;
  };
  const a = add("a", "v1", dag.genesis);
  const b = add("b", "v2", dag.genesis);
  const m = add("m", "v1", a, b);
  const c = add("c", "v1", m);
  const d = add("d", "v2", m);
  const nameOf = (hash: Uint8Array): string => names.get(dag.blockOf(hash)) ?? "?";
  const scopes = (...parents: Block[]): string[] =>
    [
      ...mergeScopes(
        dag.dag,
        parents.map(({ hash }) => dag.dag.require(hash)),
      ),
    ].map(({ base, blocks }) => `${nameOf(base)}: ${blocks.map(nameOf).sort().join("")}`);
  const finalize = (block: Block): void => {
    const metadata = dag.dag.require(block.hash);
    dag.dag.recordFinalized(metadata, unfinalizedAncestors(dag.dag, metadata));
  };
  return { dag: dag.dag, scopes, finalize, blocks: { a, b, m, c, d } };
}

test("without common blocks above finality the last finalized block is the base", () => {
  const { scopes, blocks } = diamonds();
  expect(scopes(blocks.a, blocks.b)[0]).toBe("g: ab");
});

test("the highest common block is the base, and nothing below it is merged", () => {
  const { scopes, blocks } = diamonds();
  expect(scopes(blocks.c, blocks.d)[0]).toBe("m: cd");
});

test("a parent that is below another one is the base", () => {
  const { scopes, blocks } = diamonds();
  expect(scopes(blocks.c, blocks.a)[0]).toBe("a: bcm");
});

test("with other finality the scope is another one, and the creator's is among those tried", () => {
  const { scopes, finalize, blocks } = diamonds();
  finalize(blocks.a);
  expect(scopes(blocks.a, blocks.b)).toContain("a: b");
  expect(scopes(blocks.a, blocks.b).length).toBeLessThanOrEqual(8);
});

test("the parents alone decide where nothing is final, however far finality is", () => {
  const { dag, finalize, blocks } = diamonds();
  const parents = [blocks.c, blocks.d].map(({ hash }) => dag.require(hash));
  const before = mergeScope(dag, parents, noFinality(dag));
  finalize(blocks.c);
  expect(mergeScope(dag, parents, noFinality(dag))).toEqual(before);
  expect(before?.blocks).toHaveLength(2);
});

test("the creator's finality is derived from its justifications, not from what became final here", () => {
  const { dag, finalize, blocks } = diamonds();
  const { justifications } = blocks.m;
  const before = creatorsFinality(dag, justifications, 0);
  finalize(blocks.m);
  const after = creatorsFinality(dag, justifications, 0);
  expect(after.lastFinalized?.key).toBe(before.lastFinalized?.key);
  expect(after.isFinalized(dag.require(blocks.m.hash))).toBe(false);
});

test("one block given several times as a parent counts once", () => {
  const { dag, blocks } = diamonds();
  const a = dag.require(blocks.a.hash);
  const scope = mergeScope(dag, [a, a], finalityUpTo(dag, dag.approvedBlock()!));
  expect(scope).toEqual({ base: a.hash, baseStateHash: a.postStateHash, blocks: [] });
});

test("parents that are nearly as wide as the DAG are walked once each", () => {
  const test = new TestDag({ v1: 1, v2: 1, v3: 1 });
  let level = [test.genesis];
  for (let height = 0; height < 60; height += 1) level = ["v1", "v2", "v3"].map((creator) => test.next(creator, level));
  const parents = level.map(({ hash }) => test.dag.require(hash));
  const scope = mergeScope(test.dag, parents, noFinality(test.dag));
  expect(scope?.blocks).toHaveLength(5);
  const all = [...mergeScopes(test.dag, parents)];
  expect(all.length).toBeLessThanOrEqual(8);
});

describe("by evidence", () => {
  /** Two blocks side by side, one upon the first of them, and two that merge that one and the second. */
  function sideBySide() {
    const dag = new TestDag({ v1: 1, v2: 1, v3: 1 });
    const x = dag.next("v1", [dag.genesis]);
    const y = dag.next("v2", [dag.genesis]);
    const z = dag.next("v3", [y]);
    const [left, right] = [dag.next("v1", [z, x]), dag.next("v2", [z, x])] as [Block, Block];
    return { dag: dag.dag, genesis: dag.genesis, x, y, z, left, right };
  }

  function found(dag: DagView, ...parents: readonly Block[]) {
    const scope = aboveGate(
      dag,
      parents.map(({ hash }) => dag.require(hash)),
    );
    return { base: scope?.base.key, blocks: scope?.blocks.map(({ key }) => key).sort() };
  }

  const namesOf = (...blocks: readonly Block[]) => blocks.map(({ hash }) => hashKey(hash)).sort();

  test("all above the block through which all ways lead counts, whatever is final", () => {
    const { dag, genesis, x, y, z, left, right } = sideBySide();
    const all = { base: hashKey(genesis.hash), blocks: namesOf(x, y, z, left, right) };
    expect(found(dag, left, right)).toEqual(all);
    const final = dag.require(z.hash);
    dag.recordFinalized(final, unfinalizedAncestors(dag, final));
    expect(found(dag, left, right)).toEqual(all);
    // rnode's rule begins beside what is final: neither y nor z would be merged, or below the base.
    const [reference] = mergeScopes(
      dag,
      [left, right].map(({ hash }) => dag.require(hash)),
    );
    expect(hashKey(reference!.base)).toBe(hashKey(x.hash));
    expect(reference!.blocks.map(hashKey).sort()).toEqual(namesOf(left, right));
  });

  test("a block that all ways lead through hides what is below it", () => {
    const { dag, blocks } = diamonds();
    expect(found(dag, blocks.c, blocks.d)).toEqual({
      base: hashKey(blocks.m.hash),
      blocks: namesOf(blocks.c, blocks.d),
    });
    expect(found(dag, blocks.c, blocks.m)).toEqual({ base: hashKey(blocks.m.hash), blocks: namesOf(blocks.c) });
  });

  test("a parent below another one is no gate where another way leads past it", () => {
    const { dag, blocks } = diamonds();
    const { a, b, m, c } = blocks;
    expect(found(dag, c, a).blocks).toEqual(namesOf(a, b, m, c));
  });

  test("there is no result where a way leads below all known blocks", () => {
    const whole = new TestDag({ v1: 1, v2: 1 });
    const [a, b] = [whole.next("v1", [whole.genesis]), whole.next("v2", [whole.genesis])];
    const part = new TestDag({ v1: 1, v2: 2 });
    for (const block of [a, b]) part.dag.insert(block, { invalid: false, approved: false });
    expect(() => found(part.dag, a, b)).toThrow(/not in the DAG/);
  });

  test("no more than a thousand blocks count", () => {
    const wide = new TestDag({ v1: 1, v2: 1, v3: 1 });
    let level = [wide.genesis];
    const grow = (heights: number) => {
      for (let height = 0; height < heights; height += 1)
        level = ["v1", "v2", "v3"].map((creator) => wide.next(creator, level));
    };
    grow(300);
    expect(found(wide.dag, ...level).blocks).toHaveLength(900);
    grow(50);
    expect(() => found(wide.dag, ...level)).toThrow(/1000/);
  });
});
