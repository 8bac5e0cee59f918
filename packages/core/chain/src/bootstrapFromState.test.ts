import { equalBytes } from "@vedette/crypto";
import { Block, type BlockFields } from "@vedette/protocol";
import { expect, test } from "vitest";
import { declaredInvalidBlocks } from "./bootstrapFromState.js";
import { evidenceTag, printEvidence } from "./evidence/evidenceBytes.js";
import { equivocationEvidence, invalidBlockEvidence } from "./evidence/SlashingEvidence.js";
import { ArrivalNode, makeRounds, TestClock } from "./testing/ArrivalNode.js";
import { TestValidator, testGenesis } from "./testing/ProposeNetwork.js";

const stakes = { v1: 100, v2: 100, v3: 100 };
const [one, other, third] = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
];
const liar = new Uint8Array(65).fill(4);

test("a node that joins by state finds sides of slashed validators valid, and single blocks of a proof invalid", () => {
  const genesis = testGenesis(stakes, evidenceTag);
  const stating = (...offences: Parameters<typeof printEvidence>[1]) =>
    new Block({ ...(genesis as BlockFields), extraBytes: printEvidence([], offences) });
  const blocks = [genesis, stating(equivocationEvidence(liar, one, other)), stating(invalidBlockEvidence(liar, third))];
  expect(declaredInvalidBlocks(blocks)?.size).toBe(1);
  expect(declaredInvalidBlocks([genesis])?.size).toBe(0);
  expect(declaredInvalidBlocks([testGenesis(stakes, new Uint8Array(0))])).toBeUndefined();
});

test.each([
  ["by evidence", evidenceTag, 0],
  ["by arrival", new Uint8Array(0), 1],
])(
  "the blocks of a slashed validator that a joiner finds invalid, where blocks are judged %s",
  async (_rule, tag, count) => {
    const nodes = ["v1", "v2", "v3"].map((name) => new ArrivalNode(name, testGenesis(stakes, tag), new TestClock()));
    await makeRounds(2, nodes);
    const { chain } = nodes[0]!.validator;
    const [first] = chain.dag.latestMessages();
    const late = new TestValidator("late", testGenesis(stakes, tag), {}).chain;
    const candidate = chain.blocks.find(first!.hash)!;
    const others = [...chain.dag.blocksByHeight(0n, 100n)]
      .filter(({ hash }) => !equalBytes(hash, first!.hash))
      .reverse();
    for (const { hash } of others) late.blocks.put(chain.blocks.find(hash)!);
    const [latest] = others;
    const entered = others.map(({ hash }) => ({ hash, isInvalid: hash === latest!.hash }));
    late.adoptImported({ candidate: { block: candidate, requiredSignatures: 0 }, signatures: [] }, entered);
    expect(late.dag.invalidBlocks().length).toBe(count);
  },
);
