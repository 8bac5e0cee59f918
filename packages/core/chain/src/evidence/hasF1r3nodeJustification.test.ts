import { type Block, type BlockFields, hashKey, rnode, signBlock } from "@vedette/protocol";
import { describe, expect, test } from "vitest";
import { yieldToEventLoop } from "../dag/yieldToEventLoop.js";
import { ArrivalNode, TestClock } from "../testing/ArrivalNode.js";
import { share, TestValidator, testGenesis, testKey } from "../testing/ProposeNetwork.js";
import { checkParents } from "../validation/parents.js";
import { evidenceTag } from "./evidenceBytes.js";

/** v1 has the heavier of two blocks side by side, and both know both. */
async function parted(extraBytes?: Uint8Array) {
  const genesis = testGenesis({ v1: 30, v2: 10 }, extraBytes);
  const clock = { ms: 1_000_000 };
  const options = { nowMs: () => clock.ms };
  const [v1, v2] = [new TestValidator("v1", genesis, options), new TestValidator("v2", genesis, options)];
  for (const one of [v1, v2]) one.deploy();
  const [own, other] = [await v1.make(), await v2.make()];
  await share(own, v2);
  await share(other, v1);
  return { v1, v2, own, other, clock };
}

/** Two sides of the third of three validators. */
async function offence() {
  const genesis = testGenesis({ v1: 10, v2: 10, v3: 10 }, evidenceTag);
  const clock = new TestClock();
  const side = async () => (await new ArrivalNode("v3", genesis, clock).make())!;
  const sides: readonly [Block, Block] = [await side(), await side()];
  return { genesis, clock, sides };
}

const copies = (justifications: Block["justifications"], of: Block, latestBlockHash: Uint8Array) =>
  justifications.map((one) => (hashKey(one.validator) === hashKey(of.sender) ? { ...one, latestBlockHash } : one));

describe("a block without deploys upon its creator's own block alone", () => {
  test("is progress by evidence where it names a new block of another validator; made after a silence of 20 s", async () => {
    const { v1, v2, own, other, clock } = await parted(evidenceTag);
    clock.ms += 19_999;
    expect((await v1.proposer.conditions()).mayPropose).toBe(false);
    expect(await v1.status()).toBe("InternalDeployError");
    clock.ms += 1;
    expect((await v1.proposer.conditions()).mayPropose).toBe(true);
    const block = await v1.make();
    expect([block.parents, block.body.deploys]).toEqual([[own.hash], []]);
    await share(block, v2);
    clock.ms += 20_000;
    expect((await v1.proposer.conditions()).mayPropose).toBe(false);
    expect(await v1.status()).toBe("InternalDeployError");

    const { dag } = v2.chain;
    const header = { ...block.header, parents: [block.hash] };
    const again = async (change: Partial<BlockFields>) => {
      const justifications = copies(block.justifications, block, block.hash);
      const next = signBlock({ ...block, header, justifications, ...change }, testKey("v1"), rnode);
      const parents = next.parents.map((hash) => dag.require(hash));
      return (await checkParents(next, parents, dag, { maximumParents: 1, yieldNow: yieldToEventLoop }))?.status;
    };
    expect(await again({})).toBe("InvalidParents");
    const next = await v2.make();
    const justifications = copies(copies(block.justifications, block, block.hash), other, next.hash);
    expect(await again({ justifications })).toBeUndefined();
    // A validator that the own block before does not know at all.
    const stranger = { validator: testKey("v3").publicKey, latestBlockHash: next.hash };
    expect(await again({ justifications: [...copies(block.justifications, block, block.hash), stranger] })).toBe(
      "InvalidParents",
    );
  });

  test("is none where blocks are judged by arrival", async () => {
    const { v1, clock } = await parted();
    clock.ms += 20_000;
    expect((await v1.proposer.conditions()).mayPropose).toBe(false);
    expect(await v1.status()).toBe("InternalDeployError");
  });

  test("is none for the second side of an offender, which proves the offence", async () => {
    const { genesis, clock, sides } = await offence();
    const node = new ArrivalNode("v1", genesis, clock);
    await node.make();
    await node.receive(...sides);
    const { validator } = node;
    clock.pass(20_000);
    const named = new Set(
      (await validator.make()).justifications.map(({ latestBlockHash }) => hashKey(latestBlockHash)),
    );
    expect(sides.filter(({ hash }) => named.has(hashKey(hash))).length).toBe(1);
    clock.pass(20_000);
    expect((await validator.proposer.conditions()).mayPropose).toBe(false);
    expect(await validator.status()).toBe("InternalDeployError");
    validator.deploy();
    const { body } = await validator.make();
    expect(body.systemDeploys.map(({ systemDeploy }) => systemDeploy.kind)).toEqual(["slash", "closeBlock"]);
  });
});

test("no proposer waits for an offender", async () => {
  const { genesis, clock, sides } = await offence();
  const constraints = { synchronyThreshold: 0.6, heightThreshold: 1000n };
  const node = new ArrivalNode("v1", genesis, clock, { proposer: { constraints } });
  const measured = () => node.validator.eventsOf("synchronyMeasured").at(-1);
  await node.make();
  await node.receive(sides[0]);
  expect(await node.validator.status()).toBe("NotEnoughNewBlocks");
  expect(measured()).toMatchObject({ weight: 10n, total: 20n });
  await node.receive(sides[1]);
  expect(await node.validator.status()).toBe("NotEnoughNewBlocks");
  expect(measured()).toMatchObject({ weight: 0n, total: 10n });
  await node.receive((await new ArrivalNode("v2", genesis, clock).make())!);
  expect(await node.make()).toBeDefined();
  expect(measured()).toMatchObject({ weight: 10n, total: 10n });
});
