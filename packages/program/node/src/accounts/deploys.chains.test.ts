import { toHex, vaultAddressOfPublicKey } from "@vedette/crypto";
import { decodeBlock, rnode } from "@vedette/protocol";
import type { AccountHistoryQuery, ApiQueries, DeployEntry, Placed, TransferEntry } from "@vedette/queries";
import { TestQueries } from "@vedette/queries/testing";
import { until, usualChains } from "@vedette/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testKey } from "../testing/SoloValidator.js";

const all = { limit: 200, after: undefined, forks: true };

for (const name of usualChains("solo", "trio", "merge", "equivocation-v1")) {
  describe(`accounts of the chain ${name}`, () => {
    let recorded: TestQueries;
    let queries: ApiQueries;
    const addresses = ["u1", "u2", "u3", "u4", "v1"].map((user) => vaultAddressOfPublicKey(testKey(user).publicKey)!);
    beforeAll(async () => {
      recorded = await TestQueries.recorded(name);
      queries = recorded.queries();
      await complete(recorded);
    });
    afterAll(async () => recorded?.[Symbol.asyncDispose]());

    test("all blocks are in the index, with their transfers", () => {
      const valid = [...recorded.chain.dag.blocksByHeight(0n, 1_000n)].length;
      const whole = { isComplete: true, blocksSince: 0n, transfersSince: 0n };
      expect(queries.accounts.facts()).toEqual({ done: valid, total: valid, ...whole });
    });

    test("every deploy of a key is listed once for each block that has it, the latest first", () => {
      let deploys = 0;
      for (const address of addresses) {
        const { entries } = queries.accounts.deploys({ ...all, address });
        expect(entries.map(textOfDeploy)).toEqual(deploysInBlocks(recorded, address));
        deploys += entries.length;
      }
      expect(deploys).toBeGreaterThan(10);
    });

    test("pages of any size join to the whole", () => {
      for (const address of addresses) {
        const { entries } = queries.accounts.transfers({ ...all, address });
        for (const limit of [1, 3, 100]) {
          expect(pages((question) => queries.accounts.transfers(question), address, limit)).toEqual(entries);
        }
      }
    });

    test("balances are what transfers and costs make of them", async () => {
      const { dag } = recorded.chain;
      const first = [...dag.blocksByHeight(0n, 0n)].map(({ hash }) => toHex(hash))[0]!;
      const signal = new AbortController().signal;
      const { balances: before } = await queries.balances.balances(addresses, first, signal);
      const { balances: after, block } = await queries.balances.balances(addresses, "finalized", signal);
      expect(block.key).toBe(dag.lastFinalized()!.key);
      const rejected = rejectedDeploys(recorded);
      for (const [at, address] of addresses.entries()) {
        const change = changeOf(queries, address, rejected);
        expect([address, before[at]! + change]).toEqual([address, after[at]]);
      }
    });

    test("missing entries are added, and nothing is there twice", async () => {
      const listed = () => addresses.map((address) => queries.accounts.transfers({ ...all, address }).entries);
      const before = listed();
      recorded.store.write((tables) => {
        for (const [key] of [...tables("historyBlocks").range()].slice(0, 7)) tables("historyBlocks").delete(key);
      });
      expect(queries.accounts.facts().isComplete).toBe(false);
      await complete(recorded);
      expect(queries.accounts.facts().isComplete).toBe(true);
      expect(listed()).toEqual(before);
    });

    test("blocks of another chain are cleared away", async () => {
      const entries = recorded.store.table("historyOfAddress").count();
      recorded.store.write((tables) => tables("historyBlocks").put(new Uint8Array(32).fill(7), Uint8Array.of(1)));
      await complete(recorded);
      expect(queries.accounts.facts().isComplete).toBe(true);
      expect(recorded.store.table("historyBlocks").count()).toBe(queries.accounts.facts().total);
      expect(recorded.store.table("historyOfAddress").count()).toBe(entries);
    });

    test("a deploy is returned with its blocks", () => {
      for (const address of addresses) {
        for (const { entry, finality } of queries.accounts.deploys({ ...all, address }).entries) {
          const { status, deploy, inclusions } = queries.accounts.deploy(entry.deployId)!;
          expect(deploy.signature).toEqual(entry.deployId);
          expect(inclusions.map(({ block }) => toHex(block.hash)).sort()).toEqual(
            recorded.chain.dag.blocksOfDeploy(entry.deployId).map(toHex).sort(),
          );
          const hasFailed = entry.errored || entry.systemDeployError !== "";
          // On these chains blocks have several parents, so that another block may still bring what failed.
          if (finality === "finalized") expect(status).toBe(hasFailed ? "failedSoFar" : "finalized");
        }
      }
      expect(queries.accounts.deploy(new Uint8Array(71))).toBeUndefined();
    });
  });
}

/** Lets the index become complete. */
async function complete(recorded: TestQueries): Promise<void> {
  const ended = new AbortController();
  const accounts = recorded.accounts();
  const running = accounts.run(ended.signal);
  await until("the index to be complete", () => isDone(accounts.queries.facts()));
  ended.abort();
  await running;
}

function isDone({ isComplete }: { readonly isComplete: boolean }): boolean {
  return isComplete;
}

function pages<T>(
  page: (question: AccountHistoryQuery) => { readonly entries: readonly Placed<T>[]; readonly next: unknown },
  address: string,
  limit: number,
): Placed<T>[] {
  const found: Placed<T>[] = [];
  for (let after: AccountHistoryQuery["after"]; ; ) {
    const { entries, next } = page({ address, limit, after, forks: true });
    found.push(...entries);
    if (next === undefined) return found;
    after = entries.at(-1)!.place;
  }
}

function textOfDeploy({ entry, place }: Placed<DeployEntry>): string {
  return `${place.height} ${toHex(place.blockHash)} ${place.index} ${toHex(entry.deployId)} ${entry.cost} ${entry.errored}`;
}

function deploysInBlocks({ chain }: TestQueries, address: string): string[] {
  const found: string[] = [];
  for (const { hash, height } of chain.dag.blocksByHeight(0n, 1_000n)) {
    const { deploys } = decodeBlock(chain.blocks.findBytes(hash)!, rnode.blockForm).body;
    for (const [index, { deploy, cost, failed }] of deploys.entries()) {
      if (vaultAddressOfPublicKey(deploy.deployer) !== address) continue;
      found.push(`${height} ${toHex(hash)} ${index} ${toHex(deploy.signature)} ${cost} ${failed}`);
    }
  }
  return found.reverse();
}

/** Deploys with effects that a merge left out. */
function rejectedDeploys({ chain }: TestQueries): ReadonlySet<string> {
  const rejected = new Set<string>();
  for (const { hash } of chain.dag.blocksByHeight(0n, 1_000n)) {
    if (!chain.dag.require(hash).finalized) continue;
    for (const { signature } of decodeBlock(chain.blocks.findBytes(hash)!, rnode.blockForm).body.rejectedDeploys)
      rejected.add(toHex(signature));
  }
  return rejected;
}

function changeOf({ accounts }: ApiQueries, address: string, rejected: ReadonlySet<string>): bigint {
  let change = 0n;
  for (const { entry, finality, place } of accounts.transfers({ ...all, address }).entries) {
    const isLost = entry.deploy !== undefined && rejected.has(toHex(entry.deploy.deployId));
    if (finality === "finalized" && place.height > 0n && !isLost) change += amountTo(entry, address);
  }
  for (const { entry, finality } of accounts.deploys({ ...all, address }).entries) {
    if (finality !== "finalized" || entry.systemDeployError !== "" || rejected.has(toHex(entry.deployId))) continue;
    change -= entry.cost * entry.phloPrice;
  }
  return change;
}

function amountTo({ from, to, amount, failReason }: TransferEntry, address: string): bigint {
  if (failReason !== undefined) return 0n;
  return (to === address ? amount : 0n) - (from === address ? amount : 0n);
}
