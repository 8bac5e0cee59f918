import { type Deploy, hashKey, rnode } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { describe, expect, test } from "vitest";
import { deployKeys, signedDeploy, TestValidator, testGenesis } from "../testing/ProposeNetwork.js";
import { BlockTimeBudget } from "./BlockTimeBudget.js";
import { refusalText } from "./checkDeploy.js";
import { DeployPool, type PoolOptions } from "./DeployPool.js";
import { findLeftDeploy } from "./LeftDeploys.js";
import { programShape } from "./RecentlyPaidPrograms.js";

const endlessMs = Number.POSITIVE_INFINITY;
const usualMs = 10;
const transfer = (amount: number) => `@"vault"!("transfer", ${amount})`;
/** Each is another program. */
const program = (index: number) => `new ${"x".repeat(index + 1)} in { Nil }`;

/** A validator with a clock on which deploys with these words take for ever. */
function validator(words = "hostile", pool: PoolOptions = {}) {
  const monotonicMs = (): number => one.execution.elapsedMs.reduce((sum, elapsedMs) => sum + elapsedMs, 0);
  const one: TestValidator = new TestValidator("v1", testGenesis({ v1: 10 }), { pool, proposer: { monotonicMs } });
  one.execution.takesMs = ({ term }) => (term.includes(words) ? endlessMs : usualMs);
  return one;
}

const hostile = (index: number, user: string) => signedDeploy({ term: `"hostile" | ${program(index)}` }, user);

function submit(one: TestValidator, deploy: Deploy, origin?: string): string {
  const answer = one.pool.submit(deploy, origin);
  return answer.kind === "refused" ? refusalText(answer.refusal) : answer.kind;
}

const has = (keys: readonly string[], deploy: Deploy) => keys.includes(hashKey(deploy.signature));

describe("the time of a block", () => {
  test("is a part of the rhythm, within bounds, and a slow machine gives each deploy more of it", () => {
    const timeBudget = new BlockTimeBudget();
    expect(timeBudget.split()).toEqual({ beginMs: 1250, familiarMs: 625, firstTryMs: 160, secondTryMs: 1250 });
    expect(timeBudget.split(10_000)).toMatchObject({ beginMs: 2500, firstTryMs: 312.5 });
    expect(timeBudget.split(100).beginMs).toBe(1000);
    expect(timeBudget.split(600_000).beginMs).toBe(5000);
    for (let block = 0; block < 20; block += 1) timeBudget.note(10, 600);
    expect(timeBudget.split(10_000).firstTryMs).toBeCloseTo(480, 0);
    for (let block = 0; block < 20; block += 1) timeBudget.note(10, 60_000);
    expect(timeBudget.split().firstTryMs).toBe(312.5);
    timeBudget.note(0, 1e9);
    expect(timeBudget.split().firstTryMs).toBe(312.5);
  });

  test("is never exceeded by more than one second try, whatever waits", async () => {
    const one = validator();
    for (let index = 0; index < 100; index += 1) submit(one, hostile(index, `fresh${index}`));
    const { beginMs, secondTryMs } = new BlockTimeBudget().split();
    const clock = () => one.execution.elapsedMs.reduce((sum, elapsedMs) => sum + elapsedMs, 0);
    for (let round = 0; round < 20; round += 1) {
      if (round % 2 === 0) submit(one, signedDeploy({ term: transfer(round) }, "honest"));
      const beganMs = clock();
      await one.status();
      expect(clock() - beganMs).toBeLessThanOrEqual(beginMs + secondTryMs);
    }
    expect(one.eventsOf("deployGivenUp").length).toBeGreaterThan(5);
  });
});

describe("an honest deploy among 100 hostile ones of 100 fresh keys", () => {
  /** A transfer of this kind was paid for before. */
  async function attacked(originOf: (index: number) => string | undefined) {
    const one = validator();
    submit(one, signedDeploy({ term: transfer(1) }, "payer"));
    await one.make();
    for (let index = 0; index < 100; index += 1)
      expect(submit(one, hostile(index, `fresh${index}`), originOf(index))).toBe("accepted");
    return one;
  }

  test("is in the next block when its program was paid for before, by any sender", async () => {
    const one = await attacked((index) => `address ${index}`);
    const [known, newcomer] = ["payer", "newcomer"].map((user) => signedDeploy({ term: transfer(2) }, user));
    submit(one, known!);
    submit(one, newcomer!);
    const keys = deployKeys(await one.make());
    expect([known!, newcomer!].map((deploy) => has(keys, deploy))).toEqual([true, true]);
  });

  test("is in the next block when its sender has paid before, whatever it sends", async () => {
    const one = await attacked((index) => `address ${index}`);
    const deploy = signedDeploy({ term: program(500) }, "payer");
    submit(one, deploy, "another");
    expect(has(deployKeys(await one.make()), deploy)).toBe(true);
  });

  test("is in the next block when it is new in every way, but comes from another address", async () => {
    const one = await attacked(() => "the attacker's");
    const deploy = signedDeploy({ term: program(500) }, "newcomer");
    submit(one, deploy, "another");
    expect(has(deployKeys(await one.make()), deploy)).toBe(true);
  });

  test("comes in its turn even where keys, addresses and programs are all new", async () => {
    const one = await attacked((index) => `address ${index}`);
    const deploy = signedDeploy({ term: program(500) }, "newcomer");
    submit(one, deploy, "another");
    let rounds = 0;
    for (let isIn = false; !isIn && rounds < 100; rounds += 1) {
      submit(one, signedDeploy({ term: transfer(rounds) }, "payer"));
      isIn = has(deployKeys(await one.make()), deploy);
    }
    expect(rounds).toBeLessThan(30);
  });
});

describe("one deploy a second that takes all of its time, from ten accounts", () => {
  const rounds = 12;
  const secondsOfRound = 5;

  /** Blocks that each honest deploy had to wait for until one was final that has it. */
  async function delays(isAttacked: boolean): Promise<number[]> {
    const one = validator();
    const sent = new Map<string, number>();
    const waited: number[] = [];
    for (let second = 0; second < rounds * secondsOfRound; second += 1) {
      const round = Math.floor(second / secondsOfRound);
      const honest = signedDeploy({ term: transfer(second) }, `honest${second % 7}`);
      submit(one, honest, `home ${second % 7}`);
      sent.set(hashKey(honest.signature), round);
      if (isAttacked) submit(one, hostile(second, `attacker${second % 10}`), `attacker ${second % 10}`);
      if (second % secondsOfRound < secondsOfRound - 1) continue;
      for (const key of deployKeys(await one.make())) {
        const began = sent.get(key);
        if (began === undefined) continue;
        waited.push(round - began);
        sent.delete(key);
      }
    }
    expect(sent.size).toBe(0);
    return waited;
  }

  test("leaves every honest transfer in a block at most two later than without them", async () => {
    const [alone, attacked] = [await delays(false), await delays(true)];
    expect(attacked).toHaveLength(alone.length);
    expect(Math.max(...attacked)).toBeLessThanOrEqual(Math.max(...alone) + 2);
  });
});

describe("a deploy that cannot be executed", () => {
  test("is tried in every block as long as the machine is too busy for it, and its sender does not wait", async () => {
    const one = validator();
    one.execution.isBusy = true;
    const honest = hostile(1, "busy");
    submit(one, honest);
    for (let blocks = 1; blocks <= 5; blocks += 1) {
      submit(one, signedDeploy({ term: transfer(1) }, "other"));
      await one.make();
      expect(one.eventsOf("deployPutAside").map(({ isOfMachine }) => isOfMachine)).toEqual(Array(blocks).fill(true));
    }
    one.execution.isBusy = false;
    one.execution.takesMs = () => 1;
    expect(deployKeys(await one.make())).toEqual([hashKey(honest.signature)]);
    expect(one.eventsOf("deployGivenUp")).toEqual([]);
  });

  test("is tried twice, then refused with its reason; so over a restart", async () => {
    const one = validator();
    const bad = hostile(1, "attacker");
    submit(one, bad);
    const honest = () => submit(one, signedDeploy({ term: transfer(1) }, "honest"));
    honest();
    await one.make();
    expect(one.eventsOf("deployPutAside").map(({ reason }) => reason)).toEqual(["it takes too long"]);
    expect(one.pool.has(bad.signature)).toBe(true);
    honest();
    await one.make();
    expect(one.eventsOf("deployGivenUp").map(({ signature, reason }) => [signature, reason])).toEqual([
      [bad.signature, "it takes too long"],
    ]);
    expect(one.pool.has(bad.signature)).toBe(false);
    honest();
    await one.make();
    expect(one.eventsOf("deployPutAside").length + one.eventsOf("deployGivenUp").length).toBe(2);
    const text = "Deploy refused because it cannot be executed: it takes too long.";
    expect(submit(one, bad)).toBe(text);
    expect(findLeftDeploy(one.store, bad.signature, rnode.blockForm)).toEqual({
      deploy: bad,
      reason: "it takes too long",
    });
    const again = new DeployPool(one.store, { ...one.chain.rules, forbiddenKeys: [] });
    expect(again.submit(bad)).toMatchObject({ kind: "refused", refusal: { code: "leftOut" } });
  });

  test("has another chance with more time, which a slow but honest one takes", async () => {
    const one = validator();
    const slow = signedDeploy({ term: program(500) }, "honest");
    one.execution.takesMs = ({ term }) => (term === slow.term ? 900 : usualMs);
    submit(one, slow);
    for (let index = 0; index < 9; index += 1) submit(one, signedDeploy({ term: program(index) }, `user${index}`));
    expect(deployKeys(await one.make()).length).toBe(9);
    expect(one.eventsOf("deployPutAside").length).toBe(1);
    expect(has(deployKeys(await one.make()), slow)).toBe(true);
  });

  test("may take all of the time at once where no other sender waits", async () => {
    const one = validator();
    one.execution.takesMs = () => 900;
    const slow = signedDeploy({}, "honest");
    submit(one, slow);
    expect(has(deployKeys(await one.make()), slow)).toBe(true);
    expect(one.eventsOf("deployPutAside")).toEqual([]);
  });

  test("is tried before a second try of hostile deploys if it is a wallet's: the machine was stalled", async () => {
    const one = validator("hostile", { trustedPrograms: [transfer(0)] });
    const slow = signedDeploy({ term: transfer(7) }, "honest");
    one.execution.takesMs = ({ term }) => (term.includes("hostile") ? endlessMs : 900);
    submit(one, slow);
    for (let index = 0; index < 100; index += 1) submit(one, hostile(index, `fresh${index}`));
    await one.status();
    expect(one.eventsOf("deployPutAside").map(({ signature }) => hashKey(signature))).toContain(
      hashKey(slow.signature),
    );
    one.execution.takesMs = ({ term }) => (term.includes("hostile") ? endlessMs : usualMs);
    const next = signedDeploy({ term: transfer(8) }, "another");
    submit(one, next);
    const keys = deployKeys(await one.make());
    expect([slow, next].map((deploy) => has(keys, deploy))).toEqual([true, true]);
  });

  test("lets its key wait, longer each time, and no other key", async () => {
    let nowMs = 1_000_000;
    let sent = 0;
    const pool = new DeployPool(
      new MemoryStore(tablesOf("chain")),
      { shardName: "root", minimumPhloPrice: 1n, forbiddenKeys: [], dialect: rnode },
      { monotonicMs: () => nowMs },
    );
    const send = (user: string, origin?: string) => {
      sent += 1;
      const deploy = signedDeploy({ term: program(sent) }, user);
      const answer = pool.submit(deploy, origin);
      return answer.kind === "refused" ? refusalText(answer.refusal) : deploy.signature;
    };
    const leftOut = (user: string, isCostly: boolean, origin?: string) => {
      const signature = send(user, origin);
      if (typeof signature === "string") expect.fail(signature);
      expect([1, 2].map(() => pool.putAside(signature, { reason: "bad", isCostly }))).toEqual([true, false]);
    };
    const fault = (user: string, origin?: string) => leftOut(user, true, origin);
    const wait = (sender: string, seconds: number) =>
      `Deploy refused because deploys of this ${sender} could not be executed lately; try again in ${seconds} s.`;
    for (let deploy = 0; deploy < 9; deploy += 1) leftOut("bad", false);
    fault("bad");
    fault("bad");
    expect(send("bad")).toBe(wait("key", 30));
    expect(send("good")).toBeInstanceOf(Uint8Array);
    nowMs += 30_000;
    fault("bad");
    expect(send("bad")).toBe(wait("key", 60));
    nowMs += 10 * 3_600_000;
    expect(send("bad")).toBeInstanceOf(Uint8Array);
    for (let key = 0; key < 5; key += 1) fault(`key${key}`, "10.0.0.1");
    expect(send("key9", "10.0.0.1")).toBe(wait("address", 10));
    expect(send("key9", "10.0.0.2")).toBeInstanceOf(Uint8Array);
  });

  test("stops what is left of its key in this block, and of its address after four", async () => {
    const one = validator();
    for (let index = 0; index < 10; index += 1) submit(one, hostile(index, "one key"));
    await one.make().catch(() => undefined);
    expect(one.eventsOf("deployPutAside").length).toBeLessThanOrEqual(8);
    const other = validator();
    const newcomer = signedDeploy({ term: program(500) }, "newcomer");
    for (let index = 0; index < 60; index += 1) submit(other, hostile(index, `key${index}`), "one address");
    submit(other, newcomer, "another");
    expect(has(deployKeys(await other.make()), newcomer)).toBe(true);
    expect(other.eventsOf("deployPutAside").length).toBe(4);
  });
});

test("programs that differ in texts and numbers alone have one shape", () => {
  const shape = programShape('new x in { x!("a", 1) }');
  expect(programShape('new x in { x!("b \\" } \\\\", 22) }')).toBe(shape);
  for (const other of ['new y in { y!("a", 1) }', 'new x in { x!("a", 1) | Nil }', 'new x in { x!("a, 1) }'])
    expect(programShape(other)).not.toBe(shape);
  expect(programShape("x".repeat(20_000))).toBeUndefined();
  // A text without an end, and nothing but escapes.
  expect(programShape('\\"'.repeat(8_000))).not.toBe(programShape('"\\"'.repeat(5_000)));
});
