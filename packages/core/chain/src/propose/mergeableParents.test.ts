import { type Deploy, hashKey } from "@vedette/protocol";
import { expect, test } from "vitest";
import { unlimitedParents } from "../ChainRules.js";
import { isAncestorOrSelf } from "../dag/ancestors.js";
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
    // A deploy that is sent to two validators is in two parallel blocks.
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
  // The kind of the last one is final only below the blocks that came after it.
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

/** Checks the scope of each executed merge against the parents' past. */
function expectNothingLeftOut({ chain, execution }: TestValidator): void {
  const leftOut = execution.merges.map(({ base, blocks }) => {
    const there = new Set([...pastOf(chain, [base]), ...blocks.map(hashKey)]);
    return [...pastOf(chain, blocks)].filter((key) => !there.has(key));
  });
  expect(leftOut.flat()).toEqual([]);
}

/** Returns blocks and all their ancestors. */
function pastOf({ dag }: TestValidator["chain"], blocks: readonly Uint8Array[]): ReadonlySet<string> {
  const past = new Set<string>();
  const left = [...blocks];
  for (let hash = left.pop(); hash !== undefined; hash = left.pop()) {
    const block = dag.require(hash);
    if (past.has(block.key)) continue;
    past.add(block.key);
    left.push(...block.parents);
  }
  return past;
}

test("a parent with which rnode's rule would leave out what is final is not merged", () => {
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

test("by evidence few blocks are merged at one time, and all that is made side by side becomes final", async () => {
  const all = validators(evidenceTag);
  const deploys: Deploy[] = [];
  for (let round = 0; round < 36; round += 1) {
    if (round < 24) deploys.push(...all.map((one) => one.deploy()));
    await Promise.all(all.map((one) => one.proposer.propose()));
    for (const one of all)
      for (const block of one.announced.splice(0)) await share(block, ...all.filter((other) => other !== one));
  }
  const [{ chain, execution }] = all as [TestValidator];
  const above = execution.merges.map(({ blocks, beside }) =>
    [...blocks, ...beside!].map((hash) => chain.dag.require(hash)),
  );
  expect(Math.max(...above.map(({ length }) => length))).toBeLessThanOrEqual(100);
  expect(Math.max(...above.map(({ length }) => length))).toBeGreaterThan(60);
  for (const blocks of above) {
    const heights = blocks.map(({ number }) => Number(number));
    expect(Math.max(...heights) - Math.min(...heights)).toBeLessThan(30);
  }
  for (const one of all) expectNothingLeftOut(one);
  expectFinal(all, deploys);
});
