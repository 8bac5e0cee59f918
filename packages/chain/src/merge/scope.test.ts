import type { Block } from "@vedette/protocol";
import { expect, test } from "vitest";
import { unfinalizedAncestors } from "../dag/ancestors.js";
import { TestDag } from "../testing/TestDag.js";
import { mergeScopes } from "./scope.js";

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
  return { scopes, finalize, blocks: { a, b, m, c, d } };
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
