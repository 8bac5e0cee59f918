import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { crc32 } from "node:zlib";
import { encodeBlock } from "@vedette/protocol";
import { LmdbStore, type TableName, tablesOf, type WritableTables } from "@vedette/store";
import { fastFolder } from "@vedette/testing";
import { StateStore } from "@vedette/tuplespace";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { lockDirectory } from "../machine/dataDirectory.js";
import { makeData, storeAsEarlier } from "../testing/testData.js";
import { compactData } from "./compactData.js";
import { dataStats } from "./dataStats.js";
import { migrateData } from "./migrateData.js";
import { openForFilling, openOffline, openReadOnly } from "./OfflineData.js";
import { pruneData } from "./pruneData.js";
import { verifyData } from "./verifyData.js";

/** Enough that the oldest are packed. */
const blocks = 165;
const child = fileURLToPath(new URL("../../dist/testing/dbChild.js", import.meta.url));
const folder = mkdtempSync(join(fastFolder, "vedette-db-"));
const made = join(folder, "made");
const path = join(folder, "data");
const { signal } = new AbortController();
const quiet = () => {};
const shard = "root";

beforeAll(async () => {
  await makeData(made, blocks);
  await storeAsEarlier(made);
});
beforeEach(() => {
  rmSync(path, { recursive: true, force: true });
  cpSync(made, path, { recursive: true, filter: (name) => !name.endsWith(".lock") });
});
afterAll(() => rmSync(folder, { recursive: true }));

const read = () => openOffline(path, { isWritten: false, shard });
const write = () => openOffline(path, { isWritten: true, shard });

async function problems(): Promise<readonly string[]> {
  await using data = await read();
  return (await verifyData(data, quiet, signal)).problems;
}

async function change(environment: "chain" | "state", work: (tables: WritableTables) => void): Promise<void> {
  await using store = new LmdbStore(join(path, environment), { tables: tablesOf(environment) });
  store.write(work);
}

async function entry(environment: "chain" | "state", table: TableName, index = 3) {
  await using store = new LmdbStore(join(path, environment), { tables: tablesOf(environment), readOnly: true });
  return [...store.table(table).range({ limit: index + 1 })].at(-1)!;
}

async function nodesOnDisk(): Promise<number> {
  await using data = await read();
  return data.state.table("history").count();
}

/** Every block and every node and leaf of the newest states, by their bytes. */
async function content(): Promise<string[]> {
  await using data = await read();
  const found: string[] = [];
  const states = new StateStore(data.state);
  const newest = data.dag.nextBlockNumber() - 1n;
  for (const { hash, height } of data.dag.blocksByHeight(0n, newest)) {
    const block = data.blocks.read(hash)!;
    found.push(Buffer.from(encodeBlock(block)).toString("base64"));
    if (height + 5n < newest) continue;
    const pending = [block.body.state.postStateHash];
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      const { bytes } = states.node(node);
      found.push(Buffer.from(bytes).toString("base64"));
      for (const item of itemsOf(states, node)) {
        if (item.isPointer) pending.push(item.target);
        else found.push(Buffer.from(states.leafBytes(item.target)!).toString("base64"));
      }
    }
  }
  return found;
}

function itemsOf(states: StateStore, hash: Uint8Array) {
  const node = states.node(hash);
  return Array.from({ length: 256 }, (_, index) => node.offsetOf(index))
    .filter((offset) => offset >= 0)
    .map((offset) => ({ isPointer: node.isPointerAt(offset), target: node.targetAt(offset) }));
}

/** @returns whether it was killed, and not done before */
async function killed(action: string, afterLines: number): Promise<boolean> {
  const program = spawn(process.execPath, [child, path, action], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(program, "exit");
  let lines = 0;
  for await (const _line of createInterface({ input: program.stdout })) {
    lines += 1;
    if (lines === afterLines) program.kill("SIGKILL");
  }
  const [, sign] = await exited;
  return sign === "SIGKILL";
}

test("statistics show what is there", async () => {
  await using data = await read();
  const stats = dataStats(data);
  expect(stats).toMatchObject({ path, blocks: blocks + 1, lowestHeight: 0n, highestHeight: BigInt(blocks) });
  expect(stats.statesFrom).toBeUndefined();
  const [chain, state] = stats.environments;
  expect([chain!.fileBytes, state!.fileBytes]).toEqual(
    ["chain", "state"].map((name) => statSync(join(path, name, "data.mdb")).size),
  );
  expect(chain!.tables.find(({ name }) => name === "blocks")!.entries).toBe(blocks + 1);
  expect(state!.tables.find(({ name }) => name === "changedHistory")!.entries).toBe(0);
});

test("a directory that is in use, absent, of another network or of a newer version is refused with words, and not touched", async () => {
  await expect(openOffline(join(folder, "none"), { isWritten: true, shard })).rejects.toThrow("There is no data in");
  expect(existsSync(join(folder, "none"))).toBe(false);
  const lock = await lockDirectory(path);
  await expect(write()).rejects.toThrow("is in use by another Vedette process; stop that one");
  await expect(compactData(path, shard, quiet)).rejects.toThrow("is in use by another Vedette process");
  await new Promise((done) => lock.close(done));
  const files = () => ["chain", "state"].map((name) => readFileSync(join(path, name, "data.mdb")).toString("latin1"));
  const before = files();
  await expect(openOffline(path, { isWritten: true, shard: "other" })).rejects.toThrow(
    "holds the chain of shard 'root', but 'other' is configured",
  );
  writeFileSync(join(path, "dialect"), "rnode-other\n");
  for (const use of [read, write, () => openReadOnly(path)])
    await expect(use()).rejects.toThrow("dialect 'rnode-other', which this version does not know");
  await expect(openForFilling(path, "rnode")).rejects.toThrow("holds a chain of the dialect 'rnode-other'");
  rmSync(join(path, "dialect"));
  expect(files()).toEqual(before);
  const file = join(path, "state", "data.mdb");
  const bytes = readFileSync(file);
  const [ours, theirs] = ["vedette-4", "vedette-9"].map((format) => {
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(format));
    return [Buffer.from(format), sum] as const;
  });
  for (const [index, mark] of ours!.entries())
    for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at)) theirs![index]!.copy(bytes, at);
  writeFileSync(file, bytes);
  const newer = files();
  for (const use of [read, write, () => compactData(path, shard, quiet)])
    await expect(use()).rejects.toThrow("was written in format vedette-9");
  expect(files()).toEqual(newer);
});

test("checks a good directory without finding anything, and can be ended", async () => {
  await using data = await read();
  const stages = new Set<string>();
  const found = await verifyData(data, (stage) => void stages.add(stage), signal);
  expect(found).toMatchObject({ blocks: blocks + 1, problems: [], problemCount: 0 });
  expect([found.states > blocks, found.nodes > 400, found.leaves > 300]).toEqual([true, true, true]);
  expect([...stages]).toEqual(["blocks", "DAG", "leaves", "states"]);
  const ended = new AbortController();
  const work = verifyData(data, () => ended.abort(new TypeError("ended")), ended.signal);
  await expect(work).rejects.toThrow("ended");
});

test.each([
  [
    "a leaf that was changed",
    "state",
    "cold",
    (tables, key, value) => tables("cold").put(key, flipped(value)),
    /^leaf \w+ is another one$/,
  ],
  [
    "a node that is gone",
    "state",
    "history",
    (tables, key) => tables("history").delete(key),
    /^node \w+ of a state is not there$/,
  ],
  [
    "a node that was changed",
    "state",
    "history",
    (tables, key, value) => tables("history").put(key, flipped(value)),
    /^node \w+ /,
  ],
  [
    "a leaf that is gone",
    "state",
    "cold",
    (tables, key) => tables("cold").delete(key),
    /^leaf \w+ of a state is not there$/,
  ],
  [
    "a block that is gone",
    "chain",
    "blocks",
    (tables, key) => tables("blocks").delete(key),
    /is in the DAG and not stored$/,
  ],
  [
    "a block that was changed",
    "chain",
    "blocks",
    (tables, key, value) => tables("blocks").put(key, flipped(value)),
    /^block \w+ /,
  ],
  ["a state that is not recorded", "state", "roots", (tables, key) => tables("roots").delete(key), /lacks its state/],
  [
    "metadata that are gone",
    "chain",
    "blockMetadata",
    (tables, key) => tables("blockMetadata").delete(key),
    /block \w+/,
  ],
] as readonly (readonly [
  string,
  "chain" | "state",
  TableName,
  (tables: WritableTables, key: Uint8Array, value: Uint8Array) => void,
  RegExp,
])[])("%s is found", async (_what, environment, table, damage, expected) => {
  const [key, value] = await entry(environment, table);
  await change(environment, (tables) => damage(tables, key, value));
  const found = await problems();
  expect(found.length).toBeGreaterThan(0);
  expect(
    found.some((problem) => expected.test(problem)),
    found.join("\n"),
  ).toBe(true);
});

function flipped(bytes: Uint8Array): Uint8Array {
  const changed = bytes.slice();
  changed[changed.length - 1]! ^= 1;
  return changed;
}

test("an older directory is brought into the present form, goes on after kills, and gives the same answers as before", async () => {
  const before = await content();
  const kills: boolean[] = [];
  for (const lines of [1, 2, 4]) kills.push(await killed("migrate", lines));
  expect(kills).toContain(true);
  expect(await problems()).toEqual([]);
  {
    await using data = await write();
    await migrateData(data, { report: quiet, signal });
    expect(data.chain.table("packedBlocks").count()).toBeGreaterThan(1);
    expect(data.state.table("changedHistory").count()).toBeGreaterThan(100);
    expect(data.chain.table("bondSets").count()).toBeGreaterThan(0);
    expect(await migrateData(data, { report: quiet, signal })).toEqual({ blocks: 0, nodes: 0, records: 0 });
  }
  expect(await problems()).toEqual([]);
  expect(await content()).toEqual(before);
});

test("states below the window are thrown away, after kills too, and the others are whole", async () => {
  const before = await content();
  const entries = await nodesOnDisk();
  await killed("prune", 2);
  expect(await problems()).toEqual([]);
  {
    await using data = await write();
    const pruned = (await pruneData(data, 10n, { report: quiet, signal }))!;
    expect(data.state.table("history").count()).toBeLessThan(entries / 3);
    expect(data.state.table("roots").count()).toBeLessThan(16);
    expect([pruned.from, dataStats(data).statesFrom]).toEqual(
      [BigInt(blocks) - 10n, BigInt(blocks) - 10n].map(
        (height) => height - (BigInt(blocks) - data.dag.lastFinalized()!.number),
      ),
    );
    const [nodes, leaves] = [data.state.table("history").count(), data.state.table("cold").count()];
    const again = (await pruneData(data, 10n, { report: quiet, signal }))!;
    expect([again.forgotten, data.state.table("history").count()]).toEqual([0, nodes]);
    // One leaf in some three hundred is taken for one that is needed, until it is looked at again (30 §5.9).
    expect(again.removed).toBeLessThanOrEqual(Math.ceil(leaves / 50));
  }
  expect(await problems()).toEqual([]);
  expect(await content()).toEqual(before);
});

test("files are written anew without what is free in them, whenever it is broken off", async () => {
  const before = await content();
  {
    await using data = await write();
    await pruneData(data, 10n, { report: quiet, signal });
  }
  // The remains of a kill.
  mkdirSync(join(path, "state.compact"));
  writeFileSync(join(path, "state.compact", "data.mdb"), "half");
  for (const lines of [1, 2]) await killed("compact", lines);
  expect(await problems()).toEqual([]);
  const files = await compactData(path, shard, quiet);
  expect(files.map(({ name }) => name)).toEqual(["chain", "state"]);
  expect(existsSync(join(path, "state.compact"))).toBe(false);
  expect(statSync(join(path, "state", "data.mdb")).size).toBeLessThan(
    statSync(join(made, "state", "data.mdb")).size / 2,
  );
  expect(await problems()).toEqual([]);
  expect(await content()).toEqual(before);
  await change("state", (tables) => tables("roots").put(new Uint8Array(32), new Uint8Array(0)));
});
