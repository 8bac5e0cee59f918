import { compareBytes, equalBytes } from "@vedette/crypto";
import { type Block, type Deploy, hashKey } from "@vedette/protocol";
import { describe, expect, test } from "vitest";
import { unlimitedParents } from "../ChainRules.js";
import { isAncestorOrSelf } from "../dag/ancestors.js";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import { evidenceTag } from "../evidence/evidenceBytes.js";
import { mergeScopes } from "../merge/scope.js";
import { deployKeys, share, signedDeploy, TestValidator, testGenesis } from "../testing/ProposeNetwork.js";
import { TestDag } from "../testing/TestDag.js";
import { mergeableParents } from "./mergeableParents.js";

function validators(statement?: Uint8Array): TestValidator[] {
  const stakes = { v1: 10, v2: 10, v3: 10 };
  const genesis = testGenesis(stakes, statement);
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

/** What the execution of each merge was asked for, with the parents' past. */
function expectNothingLeftOut({ chain, execution }: TestValidator): void {
  const { dag } = chain;
  const known = [...dag.blocksByHeight(0n, dag.nextBlockNumber())].map(({ hash }) => dag.require(hash));
  for (const { base, blocks } of execution.merges) {
    const merged = blocks.map((hash) => dag.require(hash));
    const below = (block: BlockMetadata) => isAncestorOrSelf(dag, block, dag.require(base));
    const past = known.filter((block) => merged.some((one) => isAncestorOrSelf(dag, block, one)));
    for (const block of past) expect(below(block) || merged.some(({ key }) => key === block.key)).toBe(true);
  }
}

test("a parent with which the reference's rule would leave out what is final is not merged", () => {
  const made = new TestDag({ v1: 1, v2: 1, v3: 1 });
  const { dag } = made;
  // One of two side by side is built upon and final, and two validators merge that with the other.
  const x = made.next("v1", [made.genesis]);
  const y = made.next("v2", [made.genesis]);
  const z = made.make({ creator: "v3", parents: [y], justifications: {} });
  dag.insert(z, { invalid: false, approved: true });
  const parents = ["v1", "v2"].map((creator) => dag.require(made.next(creator, [z, x]).hash));
  const [scope] = mergeScopes(dag, parents, { justifications: [], threshold: 0.5 });
  expect(hashKey(scope!.base)).toBe(hashKey(x.hash));
  expect(scope!.blocks.map(hashKey).sort()).toEqual(parents.map(({ key }) => key).sort());
  const chain = { dag, rules: { faultToleranceThreshold: 0.5 }, blocks: { find: () => undefined } } as never;
  const use = { chain, justifications: [], epochLength: 1_000n };
  expect(mergeableParents(parents, use)).toEqual(parents.slice(0, 1));
});

test("by evidence nothing final is decided anew, and all that is made side by side becomes final", async () => {
  const all = validators(evidenceTag);
  const deploys: Deploy[] = [];
  for (let round = 0; round < 20; round += 1) {
    deploys.push(...all.map((one) => one.deploy()));
    const finals = all.map(({ chain }) => chain.dag.lastFinalized()!);
    const before = all.map(({ execution }) => execution.merges.length);
    await Promise.all(all.map((one) => one.proposer.propose()));
    for (const [at, { chain, execution }] of all.entries())
      for (const { base } of execution.merges.slice(before[at]))
        expect(isAncestorOrSelf(chain.dag, finals[at]!, chain.dag.require(base))).toBe(true);
    for (const one of all)
      for (const block of one.announced.splice(0)) await share(block, ...all.filter((other) => other !== one));
  }
  for (const one of all) expectNothingLeftOut(one);
  expect(all[0]!.execution.merges.length).toBeGreaterThan(0);
  expectFinal(all, deploys.slice(0, 40));
});

/** Two blocks side by side with a deploy each, which a third validator knows; the first is the main parent of its next. */
async function contested() {
  const all = validators(evidenceTag);
  const [v1, v2, v3] = all as [TestValidator, TestValidator, TestValidator];
  for (const one of [v1, v2]) one.deploy();
  const made = [await v1.make(), await v2.make()];
  for (const block of made) await share(block, v3);
  const [main, other] = made.sort((left, right) => compareBytes(left.hash, right.hash)) as [Block, Block];
  const rejectionOf = ({ hash, body }: Block) => ({ blockHash: hash, deployId: body.deploys[0]!.deploy.signature });
  /** All find the same. */
  const givesUp = (block: Block | undefined) => {
    for (const { execution } of all)
      execution.givesUp = ({ blocks }) =>
        block !== undefined && blocks.some((hash) => equalBytes(hash, block.hash)) ? [rejectionOf(block)] : [];
  };
  return { v1, v2, v3, main, other, givesUp };
}

const parentsOf = ({ parents }: Block) => parents.map(hashKey);

describe("by evidence no merge undoes what the main parent's state has:", () => {
  test("a deploy of the main parent is not given up for another's", async () => {
    const { v3, main, givesUp } = await contested();
    givesUp(main);
    const block = await v3.make();
    expect(v3.execution.merges).toHaveLength(1);
    expect(parentsOf(block)).toEqual([hashKey(main.hash)]);
    expect(block.body.rejectedDeploys).toEqual([]);
  });

  test("another's deploy is given up for one of the main parent", async () => {
    const { v3, main, other, givesUp } = await contested();
    givesUp(other);
    const block = await v3.make();
    expect(parentsOf(block)).toEqual([main, other].map(({ hash }) => hashKey(hash)));
    expect(block.body.rejectedDeploys).toHaveLength(1);
  });

  test("what was given up does not come back", async () => {
    const { v1, v2, v3, main, other, givesUp } = await contested();
    const maker = v1.chain.dag.has(main.hash) ? v1 : v2;
    await share(other, maker);
    givesUp(other);
    const [merging, beside] = [await v3.make(), await maker.make()];
    for (const { body } of [merging, beside]) expect(body.rejectedDeploys).toHaveLength(1);
    await share(merging, maker);
    givesUp(undefined);
    maker.deploy();
    const next = await maker.make();
    expect(maker.execution.merges.at(-1)?.blocks.map(hashKey)).toContain(hashKey(other.hash));
    expect(next.parents).toHaveLength(1);
  });
});
