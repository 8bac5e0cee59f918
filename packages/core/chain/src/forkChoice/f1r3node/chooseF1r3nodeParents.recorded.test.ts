import { toHex } from "@vedette/crypto";
import { hashKey } from "@vedette/protocol";
import { expect, test } from "vitest";
import { f1r3node0445 } from "../../ruleSets/f1r3node0445.js";
import { F1r3nodeDag, f1r3nodeChain } from "../../testing/f1r3nodeChain.js";
import { chooseF1r3nodeParents } from "./chooseF1r3nodeParents.js";

const rules = { maximumParents: 10, maximumParentDepth: 15 };

test.each([
  ["solo-r", 0n],
  ["trio-r", 100_000n],
])("blocks of %s have the parents that are chosen on what their creators knew", (chain, tolerance) => {
  const node = new F1r3nodeDag(tolerance);
  const { dag, floors, facts } = node;
  const sources = { dag, floors, facts, rules, ruleSet: f1r3node0445 };
  const chosen: unknown[] = [];
  const recorded: unknown[] = [];
  for (const { block } of f1r3nodeChain(chain)) {
    if (block.number > 0n) {
      const votes = block.justifications.map(({ validator, latestBlockHash }) => {
        return { validator, block: dag.require(latestBlockHash) };
      });
      const approved = dag.approvedBlock()!;
      const parents = chooseF1r3nodeParents(sources, approved, { votes, ownKey: hashKey(block.sender) });
      chosen.push({ number: block.number, parents: parents.map(({ hash }) => toHex(hash)) });
      recorded.push({ number: block.number, parents: block.parents.map(toHex) });
    }
    node.insert(block);
  }
  expect(chosen).toEqual(recorded);
});
