import type { Deploy } from "@vedette/protocol";
import { expect, test } from "vitest";
import { unlimitedParents } from "../ChainRules.js";
import { isAncestorOrSelf } from "../dag/ancestors.js";
import { deployKeys, share, signedDeploy, TestValidator, testGenesis } from "../testing/ProposeNetwork.js";

function validators(): TestValidator[] {
  const stakes = { v1: 10, v2: 10, v3: 10 };
  const genesis = testGenesis(stakes);
  const rules = { maximumParents: unlimitedParents, faultToleranceThreshold: 0.5 };
  return Object.keys(stakes).map((name) => new TestValidator(name, genesis, { rules }));
}

/** Validators that make blocks at one time, each of which then comes to all. */
async function together(makers: readonly TestValidator[], all: readonly TestValidator[]): Promise<void> {
  const results = await Promise.all(makers.map((one) => one.proposer.propose()));
  const blocks = results.flatMap((result) => (result.status === "Success" ? [result.block] : []));
  for (const block of blocks) await share(block, ...all.filter(({ chain }) => !chain.dag.has(block.hash)));
}

function expectFinal(all: readonly TestValidator[], deploys: readonly Deploy[]): void {
  expect(new Set(all.map(({ lastFinalized }) => lastFinalized)).size).toBe(1);
  const { chain, lastFinalized } = all[0]!;
  const { dag } = chain;
  expect(lastFinalized).toBeGreaterThan(4);
  for (const { signature } of deploys)
    expect(dag.blocksOfDeploy(signature).some((hash) => dag.require(hash).finalized)).toBe(true);
}

test("the end of an epoch is never merged with a block beside it", async () => {
  const all = validators();
  for (const { execution } of all) execution.blocksInEpoch = 3n;
  const deploys = all.map((one) => one.deploy());
  for (let round = 0; round < 15; round += 1) await together(all, all);
  const { dag } = all[0]!.chain;
  const merges = all.flatMap(({ execution }) => execution.merges);
  expect(merges.length).toBeGreaterThan(0);
  for (const { blocks } of merges) {
    const merged = blocks.map((hash) => dag.require(hash));
    for (const end of merged.filter(({ number }) => number % 3n === 0n))
      for (const other of merged)
        expect(isAncestorOrSelf(dag, end, other) || isAncestorOrSelf(dag, other, end)).toBe(true);
  }
  expectFinal(all, deploys);
});

test("a deploy that the base of a merge has is never merged again", async () => {
  const all = validators();
  const [v1, v2, v3] = all as [TestValidator, TestValidator, TestValidator];
  const deploys: Deploy[] = [];
  for (let round = 0; round < 6; round += 1) {
    // Who sends a deploy to two validators has it in blocks that stand beside each other.
    const deploy = signedDeploy();
    for (const one of [v1, v2]) one.pool.submit(deploy);
    deploys.push(deploy);
    const [first, second] = [await v1.make(), await v2.make()];
    await share(first, v2, v3);
    // One knows of both, another of one alone.
    const [both, one] = [await v2.make(), await v3.make()];
    await share(second, v1, v3);
    await share(both, v1, v3);
    await share(one, v1, v2);
    for (const maker of all) await together([maker], all);
  }
  // What the last of them was is final only below what came after it.
  for (let round = 0; round < 3; round += 1) for (const maker of all) await together([maker], all);
  const { dag, blocks } = v1.chain;
  const known = [...dag.blocksByHeight(0n, dag.nextBlockNumber())].map(({ hash }) => dag.require(hash));
  const idsIn = (hash: Uint8Array) => deployKeys(blocks.find(hash)!);
  const merges = all.flatMap(({ execution }) => execution.merges);
  expect(merges.length).toBeGreaterThan(0);
  for (const merge of merges) {
    const base = dag.require(merge.base);
    const below = known.filter((block) => isAncestorOrSelf(dag, block, base)).flatMap(({ hash }) => idsIn(hash));
    for (const id of merge.blocks.flatMap(idsIn)) expect(below).not.toContain(id);
  }
  expectFinal(all, deploys);
});
