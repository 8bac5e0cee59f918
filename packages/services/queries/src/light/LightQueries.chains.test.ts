import { fromHex, toHex } from "@vedette/crypto";
import { proofOfStakeAddress } from "@vedette/execution";
import {
  f1r3nodeRules,
  type LightRules,
  proofOfStakeVault,
  rnodeRules,
  trustedBlockOf,
  verifyUpdate,
} from "@vedette/light";
import { decodeBlock, f1r3node } from "@vedette/protocol";
import { chainsThatAreThere, ownF1r3nodeChain, recordedBlocks } from "@vedette/testing";
import { expect, test } from "vitest";
import { StateQueryError } from "../state/StateQueryError.js";
import { TestQueries } from "../testing/TestQueries.js";

const thresholdPpm = 100_000;

/** Sends a request from genesis, checks the answer, and continues from there. */
async function expectFollowed(node: TestQueries, rules: LightRules): Promise<void> {
  const { light } = node.queries();
  const { dag, blocks } = node.chain;
  const trusted = trustedBlockOf(blocks.find(dag.approvedBlock()!.hash)!);
  const question = { trusted: toHex(trusted.hash), thresholdPpm };
  const answer = await light.update(question, "192.0.2.1");
  const update = { target: answer.target!.hash, blocks: answer.blocks.map(fromHex) };
  const shown = verifyUpdate(trusted, update, rules);
  expect(shown.trusted.hash).toEqual(dag.lastFinalized()!.hash);
  // Until the chain changes the same is answered, without looking again.
  expect(await light.update(question, "192.0.2.2")).toBe(answer);
  const last = { trusted: toHex(shown.trusted.hash), thresholdPpm };
  expect(await light.update(last, "192.0.2.1")).toMatchObject({ target: undefined, blocks: [] });
}

test.each(chainsThatAreThere("merge"))("a light client follows %s by what a node's store holds", async (name) => {
  await using node = await TestQueries.recorded(name);
  await expectFollowed(node, rnodeRules(0.1));
});

test("a light client follows a chain of f1r3node by what a node's store holds", async () => {
  await using node = TestQueries.emptyF1r3node();
  const { dag } = node.chain;
  for (const { bytes, facts } of recordedBlocks(ownF1r3nodeChain)) {
    const block = decodeBlock(bytes, f1r3node.blockForm);
    if (block.number === 0n) node.chain.insertApproved(block);
    else node.chain.insertTrusted(block, facts.invalid);
    if (facts.finalized && block.number > 0n) dag.recordFinalized(dag.require(block.hash), []);
  }
  await expectFollowed(node, f1r3nodeRules(100_000n));
});

test("what cannot be answered is refused with a reason", async () => {
  const unknown = "11".repeat(32);
  const failure = async (node: TestQueries, ppm?: number) => {
    const answer = node.queries().light.update({ trusted: unknown, thresholdPpm: ppm }, undefined);
    const error = await answer.catch((cause: unknown) => cause);
    return error instanceof StateQueryError ? error.failure : error;
  };
  await using empty = TestQueries.empty();
  expect(await failure(empty)).toEqual({ code: "notRunning" });
  await using node = await TestQueries.recorded("own");
  expect(await failure(node)).toEqual({ code: "unknownBlock", field: "trusted", hash: unknown });
  expect(await failure(node, 1_000_000)).toMatchObject({ code: "badRequest", field: "thresholdPpm" });
});

test("light clients look for the vault that genesis makes", () => {
  expect(proofOfStakeVault).toBe(proofOfStakeAddress);
});
