import { equalBytes, toHex } from "@vedette/crypto";
import { type Block, signBlock } from "@vedette/protocol";
import { describe, expect, test } from "vitest";
import { unlimitedParents } from "../ChainRules.js";
import { share, type TestValidatorOptions, testKey, three, validators } from "../testing/ProposeNetwork.js";

describe("an equivocation", () => {
  /** A validator signs two blocks; the others have found the second one invalid. */
  async function equivocation(options: TestValidatorOptions = {}) {
    const [v1, v2, v3] = validators(three, options);
    v1.deploy();
    const first = await v1.make();
    const key = testKey("v1");
    const twin = signBlock({ ...first, header: { ...first.header, timestamp: 999_999n } }, key, v1.chain.rules.dialect);
    for (const other of [v2, v3]) {
      await share(first, other);
      const { status } = (await other.chain.process(twin, true)).status;
      expect(status).toBe("AdmissibleEquivocation");
    }
    v2.deploy();
    return { v1, v2, v3, first, twin };
  }

  test("is not slashed where no other validator is seen to find it, and neither is it named", async () => {
    const { v1, v2, v3, first } = await equivocation();
    const block = await v2.make();
    expect(block.body.systemDeploys.map(({ systemDeploy }) => systemDeploy)).toEqual([{ kind: "closeBlock" }]);
    const named = block.justifications.find(({ validator }) => equalBytes(validator, first.sender));
    // Neither of the two: others may have found the other one invalid.
    expect(named?.latestBlockHash).toEqual(v1.chain.dag.approvedBlock()!.hash);
    await share(block, v3);
  });

  test("is slashed by the next block of the others, where they do not wait for each other", async () => {
    const { v1, v2, v3, twin } = await equivocation({ proposer: { slashesUnconfirmed: true } });
    const slashing = await v2.make();
    expect(slashing.body.systemDeploys.map(({ systemDeploy }) => systemDeploy)).toEqual([
      { kind: "slash", invalidBlockHash: twin.hash, issuerPublicKey: testKey("v2").publicKey },
      { kind: "closeBlock" },
    ]);
    expect(slashing.body.state.bonds.map(({ stake }) => stake)).toEqual([0n, 10n, 10n]);
    await share(slashing, v3);
    v3.deploy();
    const next = await v3.make();
    expect(next.body.systemDeploys.length).toBe(1);
    await share(next, v2);
    expect(await v1.status()).toBe("InternalDeployError");
  });
});

describe("a network that takes turns", () => {
  for (const [name, maximumParents] of [
    ["one parent", 1],
    ["many parents", unlimitedParents],
  ] as const) {
    test(`finalizes with ${name}`, async () => {
      const all = validators(three, { rules: { maximumParents, faultToleranceThreshold: 0.99 } });
      for (let round = 0; round < 8; round += 1) {
        for (const one of all) {
          if (round === 0 || round === 3) one.deploy({ validAfterBlockNumber: BigInt(round) });
          const block = await one.make();
          await share(block, ...all.filter((other) => other !== one));
        }
      }
      const tips = all.map(({ chain }) => toHex(chain.dag.lastFinalized()!.hash));
      expect(new Set(tips).size).toBe(1);
      expect(all[0].lastFinalized).toBeGreaterThan(15);
      expect(all.map(({ pool }) => pool.size)).toEqual([0, 0, 0]);
    });

    test(`goes on from blocks that were made at one time, with ${name}`, async () => {
      const all = validators(three, { rules: { maximumParents, faultToleranceThreshold: 0.5 } });
      const deploys = all.map((one) => one.deploy());
      for (let round = 0; round < 12; round += 1) {
        // A validator with nothing new to build on makes no block.
        const results = await Promise.all(all.map((one) => one.proposer.propose()));
        const blocks = results.flatMap((result) => (result.status === "Success" ? [result.block] : []));
        expect(blocks.length).toBeGreaterThan(0);
        for (const block of blocks) {
          const others = all.filter((one) => !one.chain.dag.has(block.hash));
          await share(block, ...others);
        }
      }
      expect(new Set(all.map(({ lastFinalized }) => lastFinalized)).size).toBe(1);
      expect(all[0].lastFinalized).toBeGreaterThan(4);
      if (maximumParents > 1) expect(all[0].execution.merges.length).toBeGreaterThan(0);
      const { dag } = all[0].chain;
      for (const { signature } of deploys)
        expect(dag.blocksOfDeploy(signature).some((hash) => dag.require(hash).finalized)).toBe(true);
    });
  }

  test("a validator that was silent for long comes back", async () => {
    const all = validators(three, { rules: { faultToleranceThreshold: 0.3 } });
    const [v1, v2, v3] = all;
    const missed: Block[] = [];
    for (let round = 0; round < 10; round += 1) {
      for (const [one, other] of [
        [v1, v2],
        [v2, v1],
      ] as const) {
        const block = await one.make();
        missed.push(block);
        await share(block, other);
      }
    }
    const before = v1.lastFinalized;
    for (const block of missed) await share(block, v3);
    await share(await v3.make(), v1, v2);
    await share(await v1.make(), v2, v3);
    await share(await v2.make(), v1, v3);
    expect(v1.lastFinalized).toBeGreaterThan(before);
    expect(v3.lastFinalized).toBe(v1.lastFinalized);
  });

  test("blocks of others may arrive while a block is made", async () => {
    const [v1, v2, v3] = validators(three);
    const other = await v2.make();
    v1.deploy();
    const arrivals: Promise<void>[] = [];
    v1.execution.pause = async (step) => {
      if (step === "play") await (arrivals[0] ??= share(other, v1));
    };
    const block = await v1.make();
    expect(v1.chain.dag.has(other.hash)).toBe(true);
    await share(other, v3);
    await share(block, v2, v3);
  });
});
