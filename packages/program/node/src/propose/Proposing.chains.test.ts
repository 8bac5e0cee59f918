import { addressOfKey, transferTerm } from "@vedette/client";
import { type Block, decodeBlock, encodeBlock, rnode } from "@vedette/protocol";
import { chainsThatAreThere, ownChain, recordedBlocks } from "@vedette/testing";
import { expect, test } from "vitest";
import { accountGenesis } from "../testing/AccountNode.js";
import { SoloValidator, testKey, userDeploy } from "../testing/SoloValidator.js";

const addressOf = (user: string): string => addressOfKey({ algorithm: "secp256k1", ...testKey(user) });

/** Blocks of a chain of which v1 makes all. */
async function lineOf(chain: string): Promise<readonly Block[]> {
  if (chain === ownChain) return [await accountGenesis()];
  const blocks = recordedBlocks(chain).map(({ bytes }) => decodeBlock(bytes, rnode.blockForm));
  return blocks.slice(0, 4);
}

test.each(chainsThatAreThere("solo"))(
  "a validator goes on with the chain %s; others find its blocks valid",
  async (chain) => {
    const blocks = await lineOf(chain);
    const [genesis] = blocks;
    const v1 = await SoloValidator.begin("v1", genesis!);
    const follower = await SoloValidator.begin("v2", genesis!);
    for (const block of blocks.slice(1)) for (const one of [v1, follower]) expect(await one.take(block)).toBe("Valid");
    const submit = async (...given: Parameters<typeof userDeploy>) => {
      const deploy = userDeploy(...given);
      expect(await v1.proposing.submit(deploy)).toBeUndefined();
      return deploy;
    };
    expect(v1.proposing.check(userDeploy("u1", "Nil", { shardId: "x" }))).toBe(
      "Deploy shardId 'x' is not as expected network shard 'root'.",
    );
    const transfer = await submit("u1", transferTerm(addressOf("u1"), addressOf("u2"), 1000n, "rnode"));
    const failing = await submit("u1", '@1!(1 + "a")');
    const unfunded = await submit("user without a vault", "Nil");
    const tooLittle = await submit("u2", "new x in { x!(1) }", { phloLimit: 10n });
    const first = await v1.make();
    expect(first.number).toBe(BigInt(blocks.length));
    const outcome = first.body.deploys.map(({ deploy, failed, systemDeployError }) => ({
      id: deploy.signature,
      failed,
      isUnpaid: systemDeployError !== "",
    }));
    expect(outcome).toEqual([
      { id: transfer.signature, failed: false, isUnpaid: false },
      { id: unfunded.signature, failed: false, isUnpaid: true },
      { id: tooLittle.signature, failed: true, isUnpaid: false },
      // Each deployer's first comes before any deployer's second.
      { id: failing.signature, failed: true, isUnpaid: false },
    ]);
    await submit("u3", transferTerm(addressOf("u3"), addressOf("u1"), 5n, "rnode"), {
      validAfterBlockNumber: first.number,
    });
    const second = await v1.make();
    // Over the wire, as it would come.
    for (const block of [first, second])
      expect(await follower.take(decodeBlock(encodeBlock(block), rnode.blockForm))).toBe("Valid");
    expect(v1.proposing.pool.size).toBe(0);
    expect(follower.chain.dag.lastFinalized()?.number).toBe(second.number);
  },
  120_000,
);

test.each(chainsThatAreThere("trio"))(
  "validators of the genesis of %s propose in turn, and slash an equivocator",
  async (chain) => {
    const genesis = decodeBlock(recordedBlocks(chain)[0]!.bytes, rnode.blockForm);
    const options = { rules: { faultToleranceThreshold: 0.3 }, slashesUnconfirmed: true };
    const all = await Promise.all(["v1", "v2", "v3"].map((name) => SoloValidator.begin(name, genesis, options)));
    const [v1, v2, v3] = all as [SoloValidator, SoloValidator, SoloValidator];
    const share = async (from: SoloValidator): Promise<Block> => {
      const block = await from.make();
      for (const one of all) if (one !== from) expect(await one.take(block)).toBe("Valid");
      return block;
    };
    for (const [index, one] of all.entries())
      await one.proposing.submit(userDeploy(`u${index + 1}`, `@"place"!(${index})`));
    const first = await share(v1);
    await share(v2);
    await share(v3);
    const double = await SoloValidator.begin("v1", genesis, options);
    await double.proposing.submit(userDeploy("u3", "@0!(0)"));
    const twin = await double.make();
    expect(twin.sequenceNumber).toBe(first.sequenceNumber);
    for (const one of [v2, v3])
      expect((await one.chain.process(twin, true)).status).toEqual({ status: "AdmissibleEquivocation" });
    await v2.proposing.submit(userDeploy("u1", "Nil"));
    const slashing = await v2.make();
    expect(slashing.body.systemDeploys.map(({ systemDeploy }) => systemDeploy.kind)).toEqual(["slash", "closeBlock"]);
    expect(slashing.body.state.bonds.filter(({ stake }) => stake === 0n).map(({ validator }) => validator)).toEqual([
      testKey("v1").publicKey,
    ]);
    expect(await v3.take(slashing)).toBe("Valid");
    await v3.proposing.submit(userDeploy("u2", "Nil"));
    const next = await v3.make();
    expect(next.body.systemDeploys.length).toBe(1);
    expect(await v2.take(next)).toBe("Valid");
  },
  120_000,
);

test.each(chainsThatAreThere("trio"))(
  "two equivocations are slashed by one block, from the genesis of %s",
  async (chain) => {
    const genesis = decodeBlock(recordedBlocks(chain)[0]!.bytes, rnode.blockForm);
    const begin = (name: string): Promise<SoloValidator> =>
      SoloValidator.begin(name, genesis, { rules: { faultToleranceThreshold: 0.3 }, slashesUnconfirmed: true });
    const v2 = await begin("v2");
    const follower = await begin("v2");
    for (const name of ["v1", "v3"]) {
      for (const isTwin of [false, true]) {
        const maker = await begin(name);
        await maker.proposing.submit(userDeploy("u1", `@"${name}"!(${isTwin})`));
        const block = await maker.make();
        const expected = isTwin ? "AdmissibleEquivocation" : "Valid";
        for (const one of [v2, follower]) expect((await one.chain.process(block, true)).status.status).toBe(expected);
      }
    }
    await v2.proposing.submit(userDeploy("u2", "Nil"));
    const slashing = await v2.make();
    expect(slashing.body.systemDeploys.map(({ systemDeploy }) => systemDeploy.kind)).toEqual([
      "slash",
      "slash",
      "closeBlock",
    ]);
    expect(slashing.body.state.bonds.map(({ stake }) => stake > 0n).filter((isLeft) => isLeft).length).toBe(1);
    expect(await follower.take(slashing)).toBe("Valid");
  },
  120_000,
);
