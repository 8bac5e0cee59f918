import { type Deploy, hashKey, rnode } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { describe, expect, test } from "vitest";
import { signedDeploy, TestValidator, testGenesis, testKey } from "../testing/ProposeNetwork.js";
import { DeployPool } from "./DeployPool.js";
import type { PoolEntry } from "./PoolEntry.js";
import { orderDeploysFairly } from "./turns.js";

const payers = new Set(["rich", "richer"].map((name) => hashKey(testKey(name).publicKey)));
const blamed = hashKey(testKey("blamed").publicKey);
const payerOf = {
  isOfPayer: ({ deployer }: PoolEntry) => payers.has(deployer),
  failureCount: ({ deployer }: PoolEntry) => (deployer === blamed ? 2 : 0),
};

/** The order of deploys, each named by its user and its place among that user's. */
function orderOf(users: readonly string[], isPayersTurn = true): string[] {
  const names = new Map<string, string>();
  const pool = new DeployPool(new MemoryStore(tablesOf("chain")), {
    ...{ shardName: "root", minimumPhloPrice: 1n, forbiddenKeys: [], dialect: rnode },
  });
  const counts = new Map<string, number>();
  for (const user of users) {
    const deploy = signedDeploy({}, user);
    const count = (counts.get(user) ?? 0) + 1;
    counts.set(user, count);
    names.set(hashKey(deploy.signature), `${user}${count}`);
    pool.submit(deploy);
  }
  return [...orderDeploysFairly(pool.entries(), payerOf, isPayersTurn)].map(
    ({ signature }) => names.get(hashKey(signature))!,
  );
}

describe("places in a block", () => {
  test("go to each deployer's first deploy before any deployer's second", () => {
    expect(orderOf(["many", "many", "many", "few", "other"])).toEqual(["many1", "few1", "other1", "many2", "many3"]);
  });

  test("go to payers and others in turn, as long as there are both", () => {
    const users = ["a", "b", "c", "d", "rich", "rich", "richer"];
    expect(orderOf(users)).toEqual(["rich1", "a1", "richer1", "b1", "rich2", "c1", "d1"]);
    expect(orderOf(users, false).slice(0, 3)).toEqual(["a1", "rich1", "b1"]);
  });

  test("go later to a deployer with a deploy that was put aside", () => {
    expect(orderOf(["blamed", "blamed", "a", "a", "a", "a", "b"])).toEqual([
      ...["a1", "b1", "a2", "blamed1", "a3", "blamed2", "a4"],
    ]);
  });

  test("are in the order of arrival for one deployer, and no deploy is left out", () => {
    const users = Array.from({ length: 60 }, (_, index) => ["rich", "a", "b", "richer", "c"][(index * 7) % 5]!);
    const order = orderOf(users);
    expect(new Set(order).size).toBe(60);
    for (const user of new Set(users))
      expect(order.filter((name) => name.replace(/\d+$/, "") === user)).toEqual(
        Array.from({ length: users.filter((one) => one === user).length }, (_, at) => `${user}${at + 1}`),
      );
    expect(orderOf([])).toEqual([]);
  });
});

describe("a flood of deploys without payment", () => {
  const flood = (count: number, keys: number) =>
    Array.from({ length: count }, (_, index) => signedDeploy({}, `poor${index % keys}`));

  function validator(limits = { deploys: 10 }, pool = {}): TestValidator {
    const one = new TestValidator("v1", testGenesis({ v1: 10 }), { proposer: { limits }, pool: { limits: pool } });
    one.execution.isUnpaid = ({ deployer }) => !payers.has(hashKey(deployer));
    return one;
  }

  const submit = (one: TestValidator, deploy: Deploy) => {
    const submission = one.pool.submit(deploy);
    return submission.kind === "refused" ? submission.refusal.code : submission.kind;
  };

  test("of one key keeps no other deployer out of the next block", async () => {
    const one = validator();
    for (const deploy of flood(100, 1)) submit(one, deploy);
    const late = signedDeploy({}, "newcomer");
    submit(one, late);
    const { body } = await one.make();
    expect(body.deploys.map(({ deploy }) => hashKey(deploy.signature))).toContain(hashKey(late.signature));
  });

  test("of as many keys leaves half of the places, and a part of the pool, to deployers that have paid", async () => {
    const one = validator({ deploys: 10 }, { deploys: 200 });
    submit(one, signedDeploy({}, "rich"));
    await one.make();
    const answers = flood(300, 300).map((deploy) => submit(one, deploy));
    expect(answers.filter((answer) => answer === "accepted").length).toBeGreaterThan(150);
    expect(answers.at(-1)).toBe("tooMany");
    expect(submit(one, signedDeploy({}, "newcomer"))).toBe("tooMany");
    const paid = Array.from({ length: 8 }, () => signedDeploy({}, "rich"));
    expect(paid.map((deploy) => submit(one, deploy))).toEqual(paid.map(() => "accepted"));
    const blocks = [await one.make(), await one.make()];
    const users = blocks.map(({ body }) => body.deploys.filter(({ systemDeployError }) => systemDeployError === ""));
    expect(blocks.map(({ body }) => body.deploys.length)).toEqual([10, 10]);
    expect(users.map(({ length }) => length)).toEqual([5, 3]);
  });
});
