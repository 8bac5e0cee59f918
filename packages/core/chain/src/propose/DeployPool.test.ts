import { f1r3node, rnode } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { describe, expect, test } from "vitest";
import type { DagView } from "../dag/DagView.js";
import { signedDeploy, TestValidator, testGenesis, testKey } from "../testing/ProposeNetwork.js";
import { type DeployRules, refusalText } from "./checkDeploy.js";
import { DeployPool } from "./DeployPool.js";
import { findLeftDeploy } from "./LeftDeploys.js";

const rules: DeployRules = {
  shardName: "root",
  minimumPhloPrice: 2n,
  forbiddenKeys: [testKey("genesis").publicKey],
  dialect: rnode,
};
const good = { phloPrice: 2n };
const stored = () => new MemoryStore(tablesOf("chain"));

function answer(pool: DeployPool, deploy: Parameters<DeployPool["submit"]>[0]): string {
  const submission = pool.submit(deploy);
  return submission.kind === "refused" ? refusalText(submission.refusal) : submission.kind;
}

describe("a deploy pool", () => {
  test("refuses in the words of the API, in its order", () => {
    const pool = new DeployPool(stored(), rules);
    const forbidden = signedDeploy({ phloPrice: 0n }, "genesis");
    expect(answer(pool, signedDeploy({ shardId: "other" }, "genesis"))).toBe(
      "Deploy shardId 'other' is not as expected network shard 'root'.",
    );
    expect(answer(pool, forbidden)).toBe("Deploy refused because it's signed with forbidden private key.");
    expect(answer(pool, signedDeploy({ phloPrice: 1n }))).toBe("Phlo price 1 is less than minimum price 2.");
    for (const [phloLimit, phloPrice] of [
      [2n ** 62n, 2n],
      [2n ** 63n - 1n, 2n ** 63n - 1n],
      [-(2n ** 62n) - 1n, 2n],
    ] as const)
      expect(answer(pool, signedDeploy({ phloLimit, phloPrice }))).toBe(
        `Deploy refused because phlo limit ${phloLimit} times phlo price ${phloPrice} is no amount of 64 bits.`,
      );
    expect(answer(pool, { ...signedDeploy(good), phloLimit: 7n })).toBe("Invalid signature.");
    expect(pool.size).toBe(0);
  });

  test("keeps deploys in the order of arrival, each once, also over a restart", () => {
    const store = stored();
    const pool = new DeployPool(store, rules);
    const deploys = Array.from({ length: 20 }, () => signedDeploy(good));
    for (const deploy of deploys) expect(answer(pool, deploy)).toBe("accepted");
    expect(answer(pool, deploys[3]!)).toBe("known");
    for (const one of [pool, new DeployPool(store, rules)])
      expect([...one.entries()].map((entry) => one.require(entry))).toEqual(deploys);
    const again = new DeployPool(store, rules);
    const late = signedDeploy(good);
    again.submit(late);
    expect(again.require([...again.entries()].at(-1)!)).toEqual(late);
    expect([...new DeployPool(store, rules).entries()].at(-1)?.signature).toEqual(late.signature);
  });

  test("keeps a time of expiration where the network has such, and refuses the deploy elsewhere", () => {
    const expiring = signedDeploy({ ...good, expirationTimestamp: 1_800_000_000_000n });
    expect(answer(new DeployPool(stored(), rules), expiring)).toBe(
      "Deploy refused because deploys of this network have no time of expiration.",
    );
    const store = stored();
    const f1r3nodeChainRules = { ...rules, dialect: f1r3node };
    expect(answer(new DeployPool(store, f1r3nodeChainRules), expiring)).toBe("accepted");
    const again = new DeployPool(store, f1r3nodeChainRules);
    expect([...again.entries()].map((entry) => again.require(entry))).toEqual([expiring]);
  });

  test("is bounded in number and size, and reports refusals", () => {
    const size = 200;
    const pool = new DeployPool(stored(), rules, { limits: { deploys: 3, deployBytes: 1000, bytes: 1875 } });
    expect(answer(pool, signedDeploy({ ...good, term: "x".repeat(2000) }))).toMatch(
      /^Deploy refused because its \d+ bytes are more than the 1000 that this node takes\.$/,
    );
    expect(answer(pool, signedDeploy({ ...good, term: "x".repeat(700) }))).toBe("accepted");
    expect(answer(pool, signedDeploy({ ...good, term: "x".repeat(700) }))).toBe(
      "Deploy refused because deploys of 1500 bytes wait already; try again later or at another node.",
    );
    for (let i = 0; i < 2; i += 1) answer(pool, signedDeploy(good));
    expect(answer(pool, signedDeploy(good))).toBe(
      "Deploy refused because 3 deploys wait already; try again later or at another node.",
    );
    expect(pool.size).toBe(3);
    expect(pool.sizeBytes).toBeGreaterThan(size);
  });

  test("what the rules no longer allow is gone after a restart", () => {
    const store = stored();
    const pool = new DeployPool(store, rules);
    pool.submit(signedDeploy(good));
    pool.submit(signedDeploy({ phloPrice: 5n }));
    expect(new DeployPool(store, { ...rules, minimumPhloPrice: 3n }).size).toBe(1);
    expect(new DeployPool(store, rules).size).toBe(1);
  });

  test("a deploy leaves when its block is final, or when it can be in no block any more", async () => {
    const v1 = new TestValidator("v1", testGenesis({ v1: 10 }));
    const used = v1.deploy();
    const waiting = v1.deploy({ validAfterBlockNumber: 100n });
    const expired = v1.deploy({ validAfterBlockNumber: -49n });
    await v1.make();
    expect(v1.lastFinalized).toBe(1);
    expect([used, waiting, expired].map(({ signature }) => v1.pool.has(signature))).toEqual([false, true, false]);
    expect(v1.eventsOf("deploysRemoved").map(({ count }) => count)).toEqual([1]);
    expect(v1.eventsOf("deploysExpired").map(({ count }) => count)).toEqual([1]);
    // A query for the expired deploy returns how it ended.
    expect(findLeftDeploy(v1.store, expired.signature, rnode.blockForm)).toEqual({
      deploy: expired,
      reason: undefined,
    });
    const again = new DeployPool(v1.store, { ...rules, minimumPhloPrice: 1n });
    expect(again.size).toBe(1);
  });

  test("a deploy of a final block that has not its end with that leaves as soon as it has it", async () => {
    const v1 = new TestValidator("v1", testGenesis({ v1: 10 }));
    const deploy = v1.deploy();
    const block = await v1.make();
    v1.pool.submit(deploy);
    expect(v1.pool.removeFinalized(block, () => false)).toBe(0);
    expect(v1.pool.removeSettled(() => false)).toBe(0);
    expect(v1.pool.has(deploy.signature)).toBe(true);
    expect(v1.pool.removeSettled(() => true)).toBe(1);
    expect(v1.pool.has(deploy.signature)).toBe(false);
  });

  test("on f1r3node networks a deploy's time is counted from what is final", () => {
    const dag = { lastFinalized: () => ({ number: 50n }) } as DagView;
    for (const [dialect, gone] of [
      [rnode, 1],
      [f1r3node, 0],
    ] as const) {
      const pool = new DeployPool(stored(), { ...rules, dialect, minimumPhloPrice: 1n });
      expect(pool.submit(signedDeploy({ validAfterBlockNumber: 1n })).kind).toBe("accepted");
      expect(pool.removeExpired(dag)).toBe(gone);
    }
  });

  test("what became final just before a crash is forgotten at the next start", async () => {
    const v1 = new TestValidator("v1", testGenesis({ v1: 10 }));
    const deploy = v1.deploy();
    await v1.make();
    v1.pool.submit(deploy);
    expect(v1.pool.size).toBe(1);
    expect(v1.pool.resume(v1.chain)).toBe(1);
    expect(v1.pool.size).toBe(0);
  });

  test("a deploy is not taken again under another form of its signature", async () => {
    const v1 = new TestValidator("v1", testGenesis({ v1: 10 }));
    const deploy = v1.deploy();
    // Whatever follows the two numbers of a signature is not looked at.
    const resigned = { ...deploy, signature: Uint8Array.of(...deploy.signature, 0) };
    const text = "Deploy refused because it was sent before with another signature.";
    expect(answer(v1.pool, resigned)).toBe(text);
    await v1.make();
    expect(v1.pool.size).toBe(0);
    expect(answer(v1.pool, resigned)).toBe(text);
    const again = new DeployPool(v1.store, { ...rules, minimumPhloPrice: 1n });
    again.resume(v1.chain);
    expect(answer(again, resigned)).toBe(text);
    // The same deploy is kept without effect: it cannot be in a block twice.
    expect(answer(again, deploy)).toBe("accepted");
    for (let height = 2; height <= 52; height += 1) {
      v1.deploy({ validAfterBlockNumber: BigInt(height - 1) });
      await v1.make();
    }
    expect(answer(v1.pool, resigned)).toBe("accepted");
    // It is too old by now.
    expect(await v1.status()).toBe("InternalDeployError");
  });
});
