import { toHex } from "@vedette/crypto";
import { hashKey } from "@vedette/protocol";
import { StoreError } from "@vedette/store";
import { describe, expect, test } from "vitest";
import { deployKeys, signedDeploy, validators } from "../testing/ProposeNetwork.js";

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
