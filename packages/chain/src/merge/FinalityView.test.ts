import type { Block } from "@vedette/protocol";
import { expect, test } from "vitest";
import { evidenceTag } from "../evidence/evidenceBytes.js";
import { ArrivalNode, makeRounds, TestClock } from "../testing/ArrivalNode.js";
import { TestValidator, testGenesis } from "../testing/ProposeNetwork.js";
import { creatorsFinality } from "./FinalityView.js";

const threshold = 0.1;

test("by evidence, who began at a later block finds the creator's finality that all find", async () => {
  const clock = new TestClock();
  const genesis = testGenesis({ v1: 100, v2: 100, v3: 100 }, evidenceTag);
  const nodes = ["v1", "v2", "v3"].map((name) => new ArrivalNode(name, genesis, clock));
  await makeRounds(4, nodes);
  const { chain } = nodes[0]!.validator;
  const blocks: Block[] = [];
  for (const { hash } of chain.dag.blocksByHeight(1n, 100n)) blocks.push(chain.blocks.find(hash)!);
  const first = chain.blocks.find(chain.dag.lastFinalized()!.hash)!;
  expect(first.number).toBeGreaterThan(4n);

  const late = new TestValidator("late", genesis, {}).chain;
  for (const block of [genesis, ...blocks]) late.blocks.put(block);
  const others = [genesis, ...blocks].filter((block) => block !== first).reverse();
  const approved = { candidate: { block: first, requiredSignatures: 0 }, signatures: [] };
  late.adoptImported(
    approved,
    others.map(({ hash }) => ({ hash, isInvalid: false })),
  );
  const finalTo = (dag: typeof chain.dag, { justifications }: Block) =>
    creatorsFinality(dag, justifications, threshold).lastFinalized?.number;
  const all = blocks.map((block) => finalTo(chain.dag, block));
  expect(new Set(all).size).toBeGreaterThan(4);
  expect(blocks.map((block) => finalTo(late.dag, block))).toEqual(all);
});

test("by evidence, nothing is said of what a creator held for final below all that is known", async () => {
  const genesis = testGenesis({ v1: 100, v2: 100, v3: 100 }, evidenceTag);
  const nodes = ["v1", "v2", "v3"].map((name) => new ArrivalNode(name, genesis, new TestClock()));
  await makeRounds(2, nodes);
  const { chain } = nodes[0]!.validator;
  const first = chain.blocks.find(chain.dag.lastFinalized()!.hash)!;
  const late = new TestValidator("late", genesis, {}).chain;
  late.adoptImported({ candidate: { block: first, requiredSignatures: 0 }, signatures: [] }, []);
  expect(() => creatorsFinality(late.dag, first.justifications, threshold)).toThrow(/not in the DAG/);
});
