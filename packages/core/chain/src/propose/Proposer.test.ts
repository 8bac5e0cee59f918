import { type Block, hashKey, rnode, signBlock } from "@vedette/protocol";
import { describe, expect, test } from "vitest";
import {
  deployKeys,
  share,
  signedDeploy,
  TestValidator,
  testGenesis,
  testKey,
  three,
  validators,
} from "../testing/ProposeNetwork.js";
import { checkFormat } from "../validation/format.js";
import { checkSignature } from "../validation/signature.js";

describe("a block that is made", () => {
  test("is well-formed, signed, on disk before it is sent, and valid for others", async () => {
    const announced: Block[] = [];
    const announce = (block: Block): void => {
      expect(v1.chain.blocks.find(block.hash)?.hash).toEqual(block.hash);
      expect(v1.chain.dag.has(block.hash)).toBe(true);
      announced.push(block);
    };
    const [v1, v2] = validators(three, { proposer: { announce } });
    const deploy = v1.deploy();
    const order: string[] = [];
    const result = await v1.proposer.propose((sequenceNumber) => order.push(`started ${sequenceNumber}`));
    expect(order).toEqual(["started 1"]);
    if (result.status !== "Success") expect.fail(result.status);
    const { block } = result;
    expect(checkFormat(block) ?? checkSignature(block, rnode)).toBeUndefined();
    expect(block.number).toBe(1n);
    expect(block.header.version).toBe(1n);
    expect(block.sequenceNumber).toBe(1);
    expect(deployKeys(block)).toEqual([hashKey(deploy.signature)]);
    expect(block.body.systemDeploys.map(({ systemDeploy }) => systemDeploy.kind)).toEqual(["closeBlock"]);
    expect(announced).toEqual([block]);
    expect(v1.events.map(({ type }) => type)).toEqual([
      "parentsChosen",
      "snapshotTaken",
      "heightMeasured",
      "deploysSelected",
      "creatingBlock",
      "blockCreated",
      "proposeFinished",
    ]);
    expect(v1.chainEvents.map(({ type }) => type)).toEqual(["blockAdded"]);
    await share(block, v2);
  });

  test("takes the oldest deploys up to its limits, passes over what does not fit, and takes that the next time", async () => {
    const limits = { deploys: 3, bytes: 1_000_000, phlo: 16_000n };
    const [v1] = validators({ v1: 10 }, { proposer: { limits } });
    const deploys = Array.from({ length: 5 }, () => v1.deploy());
    const large = v1.deploy({ term: "x".repeat(1_000_000) });
    const heavy = Array.from({ length: 3 }, () => v1.deploy({ phloLimit: 1n << 62n }));
    const last = v1.deploy();
    const keys = [...deploys, large, ...heavy, last].map(({ signature }) => hashKey(signature));
    expect(deployKeys(await v1.make())).toEqual(keys.slice(0, 3));
    expect(deployKeys(await v1.make())).toEqual([keys[3], keys[4], keys[6]]);
    expect(deployKeys(await v1.make())).toEqual(keys.slice(7, 10));
    expect(deployKeys(await v1.make())).toEqual([keys[5]]);
  });

  test("has room for several deploys whatever their limits are", async () => {
    const [v1] = validators({ v1: 10 }, { proposer: { limits: { phlo: 8_000n } } });
    for (let i = 0; i < 9; i += 1) v1.deploy({ phloLimit: 1n << 62n });
    expect((await v1.make()).body.deploys.length).toBe(8);
    expect((await v1.make()).body.deploys.length).toBe(1);
  });

  test("holds no deploy of the future, none that has expired, none twice", async () => {
    const [v1] = validators(three);
    v1.deploy({ validAfterBlockNumber: 1n });
    v1.deploy({ validAfterBlockNumber: -49n });
    const first = v1.deploy({ validAfterBlockNumber: -47n });
    const block = await v1.make();
    expect(deployKeys(block)).toEqual([hashKey(first.signature)]);
    expect(v1.eventsOf("deployFiltered").map(({ reason }) => reason)).toEqual(["future", "expired"]);
    const second = await v1.make();
    expect(second.number).toBe(2n);
    expect(second.body.deploys.length).toBe(1);
    expect(deployKeys(second)).not.toContain(hashKey(first.signature));
    expect(v1.eventsOf("deploysSelected").at(-1)).toMatchObject({
      pool: 3,
      future: 0,
      expired: 1,
      valid: 2,
      inScope: 1,
    });
  });

  test("has no more deploys than it may, those that are tried a second time among them", async () => {
    const [v1] = validators({ v1: 10 }, { proposer: { limits: { deploys: 4 } } });
    const deploys = Array.from({ length: 8 }, (_, index) => signedDeploy({}, `user${index}`));
    for (const deploy of deploys) v1.pool.submit(deploy);
    const slow = deploys.slice(0, 2).map(({ signature }) => hashKey(signature));
    v1.execution.isFatal = ({ signature }) => slow.includes(hashKey(signature));
    expect((await v1.make()).body.deploys.length).toBe(2);
    v1.execution.isFatal = () => false;
    const sizes: number[] = [];
    while (sizes.length < 2) sizes.push((await v1.make()).body.deploys.length);
    expect(sizes).toEqual([4, 2]);
  });

  test("is not made without a deploy where that is not wanted", async () => {
    const [v1] = validators(three);
    expect((await v1.proposer.propose(undefined, { mayBeEmpty: false })).status).toBe("NoNewDeploys");
    v1.deploy();
    expect((await v1.proposer.propose(undefined, { mayBeEmpty: false })).status).toBe("Success");
  });

  test("has the dummy deploy of dev mode", async () => {
    const dummyKey = { algorithm: "secp256k1", ...testKey("dev") } as const;
    const [v1] = validators({ v1: 10 }, { proposer: { dummyKey, allowEmpty: false } });
    const { deploy } = (await v1.make()).body.deploys[0]!;
    expect(deploy).toMatchObject({ term: "Nil", phloLimit: 90_000n, phloPrice: 1n, validAfterBlockNumber: 0n });
    expect((await v1.make()).body.deploys[0]?.deploy.validAfterBlockNumber).toBe(1n);
  });

  test("may follow the own last block only with a deploy, which the dummy deploy is", async () => {
    const dummyKey = { algorithm: "secp256k1", ...testKey("dev") } as const;
    for (const proposer of [{}, { dummyKey }]) {
      const [alone] = validators({ v1: 10 }, { proposer });
      await alone.make();
      const { mayPropose } = await alone.proposer.conditions();
      expect([mayPropose, await alone.status()]).toEqual(
        "dummyKey" in proposer ? [true, "Success"] : [false, "InternalDeployError"],
      );
    }
  });
});

describe("no block is made", () => {
  test("without deploys, or where an empty one would not be valid", async () => {
    const [v1] = validators(three, { proposer: { allowEmpty: false } });
    expect(await v1.status()).toBe("NoNewDeploys");
    const [w1] = validators(three);
    await w1.make();
    expect(await w1.status()).toBe("InternalDeployError");
    expect(w1.execution.plays.length).toBe(1);
    expect(w1.announced.length).toBe(1);
  });

  test("by a validator that is not bonded", async () => {
    const genesis = testGenesis(three);
    const stranger = new TestValidator("v4", genesis);
    stranger.deploy();
    expect(await stranger.status()).toBe("NotBonded");
    expect(stranger.execution.plays).toEqual([]);
  });

  test("until enough stake of others has spoken since the own last block", async () => {
    const constraints = { synchronyThreshold: 0.33, heightThreshold: 1000n };
    const [v1, v2, v3] = validators(three, { proposer: { constraints } });
    await share(await v1.make(), v2, v3);
    v1.deploy();
    expect(await v1.status()).toBe("NotEnoughNewBlocks");
    expect(v1.eventsOf("synchronyMeasured").at(-1)).toMatchObject({ senders: 0, weight: 0n, total: 20n, value: 0 });
    expect(v1.eventsOf("synchronyMeasured").at(-1)?.threshold).toBe(0.33000001311302185);
    await share(await v2.make(), v1, v3);
    expect(await v1.status()).toBe("Success");
    expect(v1.eventsOf("synchronyMeasured").at(-1)).toMatchObject({ senders: 1, weight: 10n, value: 0.5 });
  });

  test("but one now and then, where the others are silent for long and that is configured", async () => {
    const recovery = {
      ...{ stallWindowMs: 60_000, cooldownMs: 20_000, maxBypasses: 2 },
      ...{ countsFromFinalized: false, maxFinalizedDistance: 2048n },
    };
    const constraints = { synchronyThreshold: 0.33, heightThreshold: 1000n, recovery };
    let clockMs = 0;
    const [v1] = validators(three, { proposer: { constraints, monotonicMs: () => clockMs } });
    await v1.make();
    const passedAtS: number[] = [];
    for (; clockMs <= 200_000; clockMs += 5_000) {
      v1.deploy();
      if ((await v1.status()) === "Success") passedAtS.push(clockMs / 1_000);
    }
    expect(passedAtS).toEqual([60, 80, 140, 160]);
    expect(v1.eventsOf("synchronyPassed").length).toBe(4);
  });

  test("unless enough of the others have spoken since the last finalized block, where that counts", async () => {
    const recovery = {
      ...{ stallWindowMs: 60_000, cooldownMs: 20_000, maxBypasses: 0 },
      ...{ countsFromFinalized: true, maxFinalizedDistance: 2n },
    };
    const constraints = { synchronyThreshold: 0.33, heightThreshold: 1000n, recovery };
    const [v1, v2] = validators(three, { proposer: { constraints } });
    await share(await v2.make(), v1);
    const statuses: string[] = [];
    for (let i = 0; i < 4; i += 1) {
      v1.deploy();
      statuses.push(await v1.status());
    }
    // The first may be made without; before the last one the own block is three above the other's, which is final.
    expect(statuses).toEqual(["Success", "Success", "Success", "NotEnoughNewBlocks"]);
    expect(v1.lastFinalized).toBe(1);
  });

  test("too far above the last finalized block", async () => {
    const constraints = { synchronyThreshold: 0, heightThreshold: 2n };
    const [v1] = validators(three, { proposer: { constraints } });
    for (let made = 0; made < 3; made += 1) {
      v1.deploy();
      await v1.make();
    }
    v1.deploy();
    expect(await v1.status()).toBe("TooFarAheadOfLastFinalized");
    expect(v1.eventsOf("heightMeasured").at(-1)?.ahead).toBe(3n);
  });

  test("while the node is not synchronized, or the chain has not begun", async () => {
    let reason: string | undefined = "peers have not sent their tips";
    const [v1] = validators(three, { proposer: { whyNotYet: () => reason } });
    expect(await v1.proposer.propose()).toMatchObject({ status: "NotSynchronized", reason, sequenceNumber: 1 });
    reason = undefined;
    expect(await v1.status()).toBe("Success");
  });

  test("twice at one time", async () => {
    const [v1] = validators(three);
    const first = v1.proposer.propose();
    await expect(v1.proposer.propose()).rejects.toThrow("Another block is being made");
    expect((await first).status).toBe("Success");
  });
});

test("validators do not build on blocks of a creator without stake", async () => {
  const genesis = testGenesis(three);
  const v1 = new TestValidator("v1", genesis);
  const stranger = new TestValidator("v4", genesis, { execution: v1.execution });
  v1.execution.activeValidators = async () => [testKey("v1").publicKey, testKey("v4").publicKey];
  const first = await v1.make();
  await stranger.take(first);
  const { publicKey } = testKey("v4");
  const replayed = await v1.execution.play({
    ...{ preStateHash: first.body.state.postStateHash, rejectedDeploys: [], timestamp: 1_000_000n, blockNumber: 2n },
    ...{ sender: publicKey, sequenceNumber: 0, invalidBlocks: [], deploys: [], tries: [], maximumMs: 1 },
    systemDeploys: [{ kind: "closeBlock" }],
  });
  if (replayed.kind === "failed") expect.fail(replayed.message);
  const header = { ...first.header, parents: [first.hash] };
  const justifications = first.justifications.map(({ validator }) => ({
    validator,
    latestBlockHash: v1.chain.dag.latestMessage(hashKey(validator))!,
  }));
  const block = { ...first, header, justifications, body: replayed.body, sequenceNumber: 0 };
  const foreign = signBlock(block, testKey("v4"), v1.chain.rules.dialect);
  expect(await v1.take(foreign)).toEqual(["Valid"]);
  v1.deploy();
  expect((await v1.make()).parents).toEqual([first.hash]);
});

describe("the time of a block", () => {
  test("is not before its parents', and a clock that is far behind makes no block", async () => {
    let clockMs = 1_000_000;
    const [v1, v2] = validators(three, { nowMs: () => clockMs });
    await share(await v1.make(), v2);
    clockMs -= 10_000;
    expect((await v2.make()).header.timestamp).toBe(1_000_000n);
    clockMs -= 10_000;
    v2.deploy();
    expect(await v2.status()).toBe("InternalDeployError");
    expect(v2.eventsOf("clockBehind").map(({ behindMs }) => behindMs)).toEqual([20_000]);
    clockMs += 20_000;
    expect(await v2.status()).toBe("Success");
  });

  test("a clock that jumps is reported; after a jump ahead it may be set back before a block has its time", async () => {
    let [clockMs, monotonicMs] = [1_000_000, 0];
    const pass = (ms: number) => {
      clockMs += ms;
      monotonicMs += ms;
    };
    const [v1] = validators(three, { nowMs: () => clockMs, proposer: { monotonicMs: () => monotonicMs } });
    await v1.make();
    clockMs += 3_600_000;
    v1.deploy();
    expect(await v1.status()).toBe("InternalDeployError");
    pass(10_000);
    expect(await v1.status()).toBe("InternalDeployError");
    clockMs -= 3_600_000;
    expect((await v1.make()).header.timestamp).toBe(1_010_000n);
    clockMs += 3_600_000;
    v1.deploy();
    expect(await v1.status()).toBe("InternalDeployError");
    pass(60_000);
    expect((await v1.make()).header.timestamp).toBe(4_670_000n);
    expect(v1.eventsOf("clockJumped").map(({ byMs }) => byMs)).toEqual([3_600_000, -3_600_000, 3_600_000]);
  });
});

test("signed deploys of tests differ", () => {
  expect(signedDeploy().signature).not.toEqual(signedDeploy().signature);
});
