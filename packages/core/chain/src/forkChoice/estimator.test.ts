import type { Block } from "@vedette/protocol";
import { describe, expect, test } from "vitest";
import { commonAncestor } from "../dag/commonAncestor.js";
import { dagA, dagB } from "../testing/chapterDags.js";
import { TestDag } from "../testing/TestDag.js";
import { estimateTips } from "./estimator.js";

const noLimits = { maximumParents: 2147483647, maximumParentDepth: undefined };

function tipsOf(dag: TestDag, latest: Readonly<Record<string, Block>> | undefined): readonly Block[] {
  const messages = dag.dag.latestMessages();
  const chosen = latest === undefined ? [] : messages;
  const genesis = dag.dag.require(dag.genesis.hash);
  return estimateTips(dag.dag, genesis, chosen, noLimits).tips.map((hash) => dag.blockOf(hash));
}

describe("tips (40 §15.4)", () => {
  test("without latest messages there is genesis alone", () => {
    const dag = new TestDag({ v1: 2, v2: 3 });
    expect(tipsOf(dag, undefined)).toEqual([dag.genesis]);
  });

  test("of DAG A", () => {
    const { dag, blocks } = dagA();
    const [, , , , , b6, , b8] = blocks;
    expect(tipsOf(dag, {})).toEqual([b6, b8]);
  });

  test("of DAG B", () => {
    const { dag, blocks } = dagB();
    const [, , , , , , b7, b8] = blocks;
    expect(tipsOf(dag, {}).slice(0, 2)).toEqual([b8, b7]);
  });

  test("an invalid latest message does not take part", () => {
    const dag = new TestDag({ v1: 2, v2: 3 });
    const g = dag.genesis;
    const b1 = dag.add({ creator: "v1", parents: [g], justifications: { v1: g, v2: g } });
    dag.add({ creator: "v2", parents: [g], justifications: { v1: g, v2: g }, invalid: true });
    expect(tipsOf(dag, {})).toEqual([b1]);
  });
});

test("lowest universal common ancestors (40 §15.5)", () => {
  const dag = new TestDag({ v1: 1 });
  const on = (...parents: Block[]): Block => dag.add({ creator: "v1", parents, justifications: { v1: dag.genesis } });
  const b1 = on(dag.genesis);
  const b2 = on(b1);
  const b3 = on(b1);
  const b4 = on(b3);
  const b5 = on(b3);
  const b6 = on(b2, b4);
  const b7 = on(b4, b5);
  const b8 = on(b6, b7);
  const b9 = on(b8);
  const b10 = on(b8);
  const of = (left: Block, right: Block): Block =>
    dag.blockOf(
      commonAncestor(
        dag.dag,
        [left, right].map(({ hash }) => dag.dag.require(hash)),
      )!.hash,
    );
  expect(of(b1, b5)).toBe(b1);
  expect(of(b2, b3)).toBe(b1);
  expect(of(b6, b7)).toBe(b1);
  expect(of(b2, b2)).toBe(b2);
  expect(of(b10, b9)).toBe(b8);
  expect(of(b3, b7)).toBe(b3);
  expect(of(b3, b8)).toBe(b1);
  expect(of(b4, b5)).toBe(b3);
  expect(of(b4, b6)).toBe(b1);
  expect(of(b7, b8)).toBe(b1);
  expect(of(b8, b9)).toBe(b8);
});
