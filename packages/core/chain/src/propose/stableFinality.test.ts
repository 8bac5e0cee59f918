import { toHex } from "@vedette/crypto";
import { usualCases } from "@vedette/testing";
import { expect, test } from "vitest";
import { isAncestorOrSelf } from "../dag/ancestors.js";
import { forkPatienceMs } from "../forkChoice/heaviestTip.js";
import { share, TestValidator, testGenesis } from "../testing/ProposeNetwork.js";
import { expectStableFinality, slowNetworks } from "../testing/SlowNetwork.js";

const stakes = { v1: 100, v2: 100, v3: 100 };
const rules = { maximumParents: 1, faultToleranceThreshold: 0.1 };

/** Makes three validators with other hashes of blocks in every world. */
function validatorsOf(world: number): readonly [TestValidator, TestValidator, TestValidator] {
  const genesis = testGenesis(stakes);
  const options = { rules, nowMs: () => 1_000_000 + world };
  return [
    new TestValidator("v1", genesis, options),
    new TestValidator("v2", genesis, options),
    new TestValidator("v3", genesis, options),
  ];
}

/** Blocks in turns, until something later is final. @returns whether what was final before is below it */
async function goesOn(all: readonly TestValidator[], rounds: number): Promise<void> {
  const finals = all.map(({ chain }) => chain.dag.lastFinalized()!);
  for (let round = 0; round < rounds; round += 1)
    for (const one of all) await share(await one.make(), ...all.filter((other) => other !== one));
  for (const [at, { name, chain }] of all.entries()) {
    const now = chain.dag.lastFinalized()!;
    expect(now.number, name).toBeGreaterThan(finals[at]!.number);
    expect(isAncestorOrSelf(chain.dag, finals[at]!, now), `${name} keeps ${toHex(finals[at]!.hash)}`).toBe(true);
  }
}

for (const world of usualCases([0, 1, 2, 3], 2)) {
  test(`what two of three have made final stays so beside a block that came late (${world})`, async () => {
    const [v1, v2, v3] = validatorsOf(world);
    const late = await v1.make();
    const first = await v3.make();
    await share(first, v2);
    const second = await v2.make();
    await share(second, v3);
    expect(v2.lastFinalized).toBe(1);
    await share(late, v2, v3);
    await share(first, v1);
    await share(second, v1);
    await goesOn([v3, v1, v2], 4);
  });

  test(`a validator that has not received the second vote stays with its own block (${world})`, async () => {
    const [v1, v2, v3] = validatorsOf(world);
    const late = await v1.make();
    const first = await v3.make();
    await share(first, v2);
    const second = await v2.make();
    expect(v2.lastFinalized).toBe(1);
    // The late block comes before the second one.
    await share(late, v3);
    expect(await v3.status()).toBe("InternalDeployError");
    await share(second, v3);
    await share(late, v2);
    for (const block of [first, second]) await share(block, v1);
    await goesOn([v3, v1, v2], 4);
  });
}

test("two of three go on with one side of a fork, when the third never speaks", async () => {
  let nowMs = 1_000_000;
  const genesis = testGenesis(stakes);
  const options = { rules, nowMs: () => nowMs };
  const [v1, v2] = [new TestValidator("v1", genesis, options), new TestValidator("v2", genesis, options)];
  const blocks = [await v1.make(), await v2.make()];
  await share(blocks[1]!, v1);
  await share(blocks[0]!, v2);
  for (const one of [v1, v2]) expect(await one.status()).toBe("InternalDeployError");
  nowMs += forkPatienceMs;
  const before = [v1.lastFinalized, v2.lastFinalized];
  for (let round = 0; round < 4; round += 1)
    for (const [one, other] of [
      [v1, v2],
      [v2, v1],
    ] as const) {
      const result = await one.proposer.propose();
      if (result.status === "Success") await share(result.block, other);
    }
  expect(Math.min(v1.lastFinalized, v2.lastFinalized)).toBeGreaterThan(Math.max(...before));
});

for (const [name, byName] of slowNetworks)
  for (const maximumParents of [1, 10])
    test(`what is final stays so, and for all, when blocks come late: ${name}, at most ${maximumParents} parents`, async () => {
      for (const seed of usualCases([1, 2])) await expectStableFinality(seed, byName, maximumParents);
    });
