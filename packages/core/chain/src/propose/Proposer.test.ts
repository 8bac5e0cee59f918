import { equalBytes, toHex } from "@vedette/crypto";
import { type Block, hashKey, rnode, signBlock } from "@vedette/protocol";
import { StoreError } from "@vedette/store";
import { describe, expect, test } from "vitest";
import { unlimitedParents } from "../ChainRules.js";
import {
  deployKeys,
  share,
  signedDeploy,
  TestValidator,
  type TestValidatorOptions,
  testGenesis,
  testKey,
} from "../testing/ProposeNetwork.js";
import { checkFormat } from "../validation/format.js";
import { checkSignature } from "../validation/signature.js";

const three = { v1: 10, v2: 10, v3: 10 };

function validators(stakes: Readonly<Record<string, number>>, options: TestValidatorOptions = {}) {
  const genesis = testGenesis(stakes);
  return Object.keys(stakes).map((name) => new TestValidator(name, genesis, options)) as [
    TestValidator,
    TestValidator,
    TestValidator,
  ];
}

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
      const { mayPropose } = await alone.proposer.outlook();
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

describe("deploys that cannot be executed", () => {
  test("are found, put aside and reported; the others go into blocks", async () => {
    const [v1] = validators({ v1: 10 });
    const deploys = Array.from({ length: 9 }, () => v1.deploy());
    const bad = deploys[4]!;
    v1.execution.fault = (some) =>
      some.some(({ signature }) => toHex(signature) === toHex(bad.signature)) ? "memory" : undefined;
    const inBlocks: string[] = [];
    for (let made = 0; made < 4 && inBlocks.length < 8; made += 1) inBlocks.push(...deployKeys(await v1.make()));
    expect(inBlocks).toEqual(deploys.filter((one) => one !== bad).map(({ signature }) => hashKey(signature)));
    expect(v1.eventsOf("deployPutAside").map(({ signature }) => toHex(signature))).toEqual([toHex(bad.signature)]);
    expect(v1.eventsOf("deployGivenUp")).toEqual([]);
    // It is tried again, for the machine may have been to blame.
    v1.execution.fault = () => undefined;
    expect(deployKeys(await v1.make())).toEqual([hashKey(bad.signature)]);
  });

  test("are left out in one play where the execution names them", async () => {
    const [v1] = validators({ v1: 10 });
    const deploys = Array.from({ length: 40 }, (_, index) => {
      const deploy = signedDeploy({}, `user${index}`);
      v1.pool.submit(deploy);
      return deploy;
    });
    const bad = new Set(deploys.filter((_, index) => index % 4 === 1).map(({ signature }) => hashKey(signature)));
    v1.execution.isFatal = ({ signature }) => bad.has(hashKey(signature));
    const good = deploys.map(({ signature }) => hashKey(signature)).filter((key) => !bad.has(key));
    expect(deployKeys(await v1.make())).toEqual(good);
    expect(v1.eventsOf("deployPutAside").length).toBe(10);
    expect(v1.eventsOf("blockTooHeavy")).toEqual([]);
    expect(v1.execution.plays.length).toBe(1);
    // A sender of hundreds of them waits behind the others.
    const poison = Array.from({ length: 300 }, () => signedDeploy({}, "user2"));
    for (const deploy of poison) v1.pool.submit(deploy);
    for (const { signature } of poison) bad.add(hashKey(signature));
    for (let made = 0; made < 5; made += 1) {
      const late = signedDeploy({}, "user0");
      v1.pool.submit(late);
      expect(deployKeys(await v1.make())).toEqual([hashKey(late.signature)]);
    }
  });

  test("are not blamed for an executor that does not work at all", async () => {
    const [v1] = validators({ v1: 10 });
    v1.deploy();
    v1.deploy();
    v1.execution.fault = () => "the executor is gone";
    expect(await v1.status()).toBe("BugError");
    v1.execution.fault = () => undefined;
    expect((await v1.make()).body.deploys.length).toBe(2);
  });

  test("are not blamed for a disk that fails", async () => {
    const [v1] = validators({ v1: 10 });
    for (let index = 0; index < 4; index += 1) v1.deploy();
    v1.execution.fault = (deploys) => {
      if (deploys.length > 0) throw new StoreError({ code: "full", path: "data" });
      return undefined;
    };
    expect(await v1.proposer.propose()).toMatchObject({
      status: "BugError",
      reason: expect.stringContaining("The disk of data is full"),
    });
    expect(["deployPutAside", "deployGivenUp", "blockTooHeavy"].flatMap((type) => v1.eventsOf(type as never))).toEqual(
      [],
    );
    v1.execution.fault = () => undefined;
    expect((await v1.make()).body.deploys.length).toBe(4);
  });

  test("are found, too, where the second execution differs from the first", async () => {
    const [v1] = validators({ v1: 10 });
    const deploys = Array.from({ length: 3 }, () => v1.deploy());
    const bad = hashKey(deploys[0]!.signature);
    v1.execution.isReplayedOtherwise = (block) => deployKeys(block).includes(bad);
    const statuses: string[] = [];
    for (let i = 0; i < 5; i += 1) statuses.push(await v1.status());
    // Proposals of three, of one, of none, of the suspect once more, of the others.
    expect(statuses).toEqual(["BugError", "BugError", "Success", "BugError", "Success"]);
    expect(v1.eventsOf("ownBlockRefused").map(({ status }) => status.status)).toEqual(
      Array.from({ length: 3 }, () => "InvalidTransaction"),
    );
    expect(v1.chain.dag.invalidBlocks()).toEqual([]);
    const [empty, block] = v1.announced;
    expect(deployKeys(empty!)).toEqual([]);
    expect(deployKeys(block!)).toEqual(deploys.slice(1).map(({ signature }) => hashKey(signature)));
    expect(block?.sequenceNumber).toBe(2);
    expect(v1.eventsOf("deployGivenUp").map(({ signature }) => hashKey(signature))).toEqual([bad]);
    expect(v1.eventsOf("deployGivenUp")[0]?.reason).toMatch(
      /^blocks with it are not valid: InvalidTransaction of #2 \(/,
    );
  });

  test("are not blamed where no block of the validator's own is valid, and not refused afterwards", async () => {
    const [v1] = validators({ v1: 10 });
    const deploy = v1.deploy();
    v1.execution.isReplayedOtherwise = () => true;
    for (let i = 0; i < 6; i += 1) expect(await v1.status()).toBe("BugError");
    expect([...v1.eventsOf("deployPutAside"), ...v1.eventsOf("deployGivenUp")]).toEqual([]);
    v1.execution.isReplayedOtherwise = () => false;
    const inBlocks: string[] = [];
    for (let i = 0; i < 3 && inBlocks.length === 0; i += 1) inBlocks.push(...deployKeys(await v1.make()));
    expect(inBlocks).toEqual([hashKey(deploy.signature)]);
    v1.deploy();
    expect(await v1.status()).toBe("Success");
  });

  test("do not make their sender wait where they end at once, or where they were too slow once", async () => {
    const [v1] = validators({ v1: 10 });
    v1.execution.isFatal = ({ term }) => term === "1/0";
    v1.execution.takesMs = ({ term }) => (term === "slow" ? 1_000_000 : 0);
    const send = (term: string) => v1.pool.submit(signedDeploy({ term }, "one user")).kind;
    for (let round = 0; round < 10; round += 1) {
      expect(send("1/0")).toBe("accepted");
      await v1.status();
      await v1.status();
    }
    expect(v1.eventsOf("deployGivenUp").length).toBe(10);
    for (let round = 0; round < 2; round += 1) {
      expect(send("slow")).toBe("accepted");
      await v1.status();
    }
    expect(send("Nil")).toBe("accepted");
  });

  test("never make a sender wait where deploys of others are not held up", async () => {
    const [v1] = validators({ v1: 10 }, { pool: { sendersWait: false } });
    v1.execution.takesMs = ({ term }) => (term === "slow" ? 1_000_000 : 0);
    for (let round = 0; round < 5; round += 1) {
      expect(v1.pool.submit(signedDeploy({ term: "slow" }, "one user")).kind).toBe("accepted");
      await v1.status();
      await v1.status();
    }
    expect(v1.eventsOf("deployGivenUp").length).toBe(5);
  });
});

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

test("signed deploys of tests differ", () => {
  expect(signedDeploy().signature).not.toEqual(signedDeploy().signature);
});
