import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { LmdbStore, type TableName, tablesOf, type WritableTables } from "@vedette/store";
import { fastFolder, replayChain } from "@vedette/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { compactData } from "./compactData.js";
import { dataStats } from "./dataStats.js";
import { migrateData } from "./migrateData.js";
import { openOffline } from "./OfflineData.js";
import { pruneData } from "./pruneData.js";
import { verifyData } from "./verifyData.js";

const folder = mkdtempSync(join(fastFolder, "vedette-newer-"));
const made = join(folder, "made");
const path = join(folder, "data");
const { signal } = new AbortController();
const quiet = () => {};
const shard = "root";

const open = (isWritten: boolean) => openOffline(path, { isWritten, shard });

async function problems(): Promise<readonly string[]> {
  await using data = await open(false);
  return (await verifyData(data, quiet, signal)).problems;
}

/** Changes one entry of a table. */
async function damage(
  environment: "chain" | "state",
  table: TableName,
  change: (value: Uint8Array) => Uint8Array | undefined,
): Promise<void> {
  await using store = new LmdbStore(join(path, environment), { tables: tablesOf(environment) });
  const [key, value] = [...store.table(table).range({ limit: 4 })].at(-1)!;
  const changed = change(value);
  store.write((tables: WritableTables) => {
    if (changed === undefined) tables(table).delete(key);
    else tables(table).put(key, changed);
  });
}

const flippedAt = (at: number) => (value: Uint8Array) => {
  const changed = value.slice();
  changed[at < 0 ? changed.length + at : at]! ^= 1;
  return changed;
};

describe("a data directory with a chain of the newer node", () => {
  beforeAll(() => replayChain("trio-r", made));
  beforeEach(() => {
    rmSync(path, { recursive: true, force: true });
    cpSync(made, path, { recursive: true, filter: (name) => !name.endsWith(".lock") });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("is opened by the dialect that it names, and nothing in it is wrong", async () => {
    await using data = await open(false);
    expect(data.dialect.name).toBe("f1r3node");
    expect(dataStats(data)).toMatchObject({ blocks: 25, lowestHeight: 0n, highestHeight: 10n, finalHeight: 7n });
    const found = await verifyData(data, quiet, signal);
    expect(found).toMatchObject({ blocks: 25, problems: [], problemCount: 0 });
    expect([found.states > 25, found.nodes > 500, found.leaves > 1_000]).toEqual([true, true, true]);
  });

  test.each([
    ["content of a leaf", "state", "cold", flippedAt(-1), /^leaf \w+ is another one$/],
    ["a leaf's kind", "state", "cold", flippedAt(0), /^leaf \w+ is of another kind than its place$/],
    ["a leaf's kind, to none", "state", "cold", flippedAt(3), /^leaf \w+ is of another kind than its place$/],
    ["a leaf", "state", "cold", () => undefined, /^leaf \w+ of a state is not there$/],
    ["a node's bytes", "state", "history", flippedAt(-1), /^node \w+ /],
    ["a node", "state", "history", () => undefined, /^node \w+ of a state is not there$/],
    ["a block's bytes", "chain", "blocks", flippedAt(200), /^block \w+ /],
    ["a block", "chain", "blocks", () => undefined, /is in the DAG and not stored$/],
  ] as const)("%s that was changed or taken away is found", async (_what, environment, table, change, expected) => {
    await damage(environment, table, change);
    const found = await problems();
    expect(
      found.some((problem) => expected.test(problem)),
      found.join("\n"),
    ).toBe(true);
  });

  test("a state of a block that is not recorded is found", async () => {
    const root = await (async () => {
      await using data = await open(false);
      return data.dag.lastFinalized()!.postStateHash;
    })();
    {
      await using store = new LmdbStore(join(path, "state"), { tables: tablesOf("state") });
      store.write((tables) => tables("roots").delete(root));
    }
    expect((await problems()).join()).toMatch(/^block #7 \(\w+\) lacks its state \w+$/);
  });

  test("is pruned, brought into the present form and compacted, and what is kept is whole", async () => {
    {
      await using data = await open(true);
      const pruned = (await pruneData(data, 2n, { report: quiet, signal }))!;
      expect([pruned.from, pruned.removed > 100]).toEqual([5n, true]);
      await migrateData(data, { report: quiet, signal });
    }
    expect(await problems()).toEqual([]);
    await compactData(path, shard, quiet);
    expect(await problems()).toEqual([]);
  });
});
