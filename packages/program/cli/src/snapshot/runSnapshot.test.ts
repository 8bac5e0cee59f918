import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readCheckpoint } from "@vedette/light";
import { lockDirectory } from "@vedette/node/machine";
import { makeData } from "@vedette/node/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runDb } from "../db/runDb.js";
import { runSnapshot, type SnapshotAction } from "./runSnapshot.js";

const folder = mkdtempSync(join(tmpdir(), "vedette-snapshot-"));
const [made, place] = [join(folder, "made"), join(folder, "place")];
let block = "";

beforeAll(async () => {
  await makeData(made, 4);
  block = JSON.parse((await run("create", { dataDir: made, json: true })).text).block.hash;
});
afterAll(() => rmSync(folder, { recursive: true }));

async function run(action: SnapshotAction, options: Readonly<Record<string, string | boolean>> = {}) {
  const printed: string[] = [];
  const output = { print: (text: string) => void printed.push(text), progress: { isTTY: false, write: () => true } };
  return { code: await runSnapshot(action, { location: place, ...options }, output), text: printed.join("") };
}

test("a data directory in use is read, and another begins with what was read; all its hashes are right", async () => {
  const lock = await lockDirectory(made);
  const { text } = await run("create", { dataDir: made });
  lock.close();
  expect(text).toMatch(/^Snapshot of block #4 \([0-9a-f]{64}\) in .*\n\d+ nodes, \d+ leaves, 5 blocks: \d+\.\d MB in /);
  expect(text).toContain(`vedette snapshot restore --location ${place} --block ${block} --data-dir`);
  const dataDir = join(folder, "restored", "data");
  const restored = await run("restore", { dataDir, block });
  expect(restored.text).toMatch(/^.*restored\/data begins with block #4: \d+ nodes and \d+ leaves, all checked, in /);
  // A printed checkpoint can be read again.
  const checkpoint = /^Checkpoint for light clients: (.*)$/m.exec(restored.text)?.[1];
  expect(text).toContain(checkpoint);
  expect(readCheckpoint(JSON.parse(checkpoint!))).toMatchObject({ blockHash: block, blockNumber: 4, dialect: "rnode" });
  expect(existsSync(join(dataDir, "restoring"))).toBe(false);
  const lines: string[] = [];
  const output = { print: (line: string) => void lines.push(line), progress: { isTTY: false, write: () => true } };
  expect([await runDb("verify", { dataDir }, output), lines]).toEqual([0, [expect.stringContaining("all is well")]]);
  expect((await run("restore", { dataDir, block })).text).toContain("#4 already: nothing is left to do");
  await expect(run("restore", { dataDir: made, block })).rejects.toThrow(`${made} holds a chain already`);
  expect(existsSync(join(dataDir, "restoring"))).toBe(false);
  // As one is left that was killed after its last step.
  writeFileSync(
    join(dataDir, "restoring"),
    `${readdirSync(join(place, "manifests")).map((name) => `manifests/${name}`)}\n`,
  );
  expect((await run("restore", { dataDir, block })).text).toContain("begins with block #4");
  expect(existsSync(join(dataDir, "restoring"))).toBe(false);
});

test("one that contradicts the checkpoint that the user trusts is refused with the field, and nothing is written", async () => {
  const { text } = await run("create", { dataDir: made });
  const carried = JSON.parse(/^Checkpoint for light clients: (.*)$/m.exec(text)![1]!);
  const file = join(folder, "checkpoint.json");
  const dataDir = join(folder, "trusted", "data");
  const restore = (changed: object, more = {}) => {
    writeFileSync(file, JSON.stringify({ ...carried, ...changed }));
    return run("restore", { dataDir, checkpoint: file, ...more });
  };
  const lies = { dialect: "f1r3node", shardId: "other", blockNumber: 5, timestamp: 1, thresholdPpm: 7 };
  for (const [field, value] of Object.entries(lies))
    await expect(restore({ [field]: value }), field).rejects.toThrow(
      new RegExp(`contradicts the checkpoint: its ${field} is ${carried[field]}, the checkpoint states ${value};`),
    );
  await expect(restore({ blockHash: "11".repeat(32) }, { block })).rejects.toThrow(/its blockHash is/);
  await expect(restore({ blockHash: "11".repeat(32) })).rejects.toThrow(/has no snapshot .*1111/);
  await expect(restore({ format: "other" })).rejects.toThrow(/checkpoint.json\n.*format/);
  await expect(run("restore", { dataDir, checkpoint: join(folder, "none") })).rejects.toThrow(/none\n/);
  expect(existsSync(dataDir)).toBe(false);
  expect((await restore({})).text).toContain("begins with block #4");
});

test("list and verify report what there is, for people and programs", async () => {
  expect((await run("list")).text).toMatch(
    new RegExp(`^#4 +${block} +\\d+\\.\\d MB  \\d{4}-.*Z  root  (not signed|by [0-9a-f]{40})\\n$`),
  );
  expect(JSON.parse((await run("list", { json: true })).text).snapshots).toHaveLength(1);
  expect((await run("verify")).text).toMatch(
    /^Snapshot of block #4 .*: 5 blocks, \d+ nodes, \d+ leaves: all is well\n$/,
  );
  expect((await run("list", { location: join(folder, "nowhere") })).text).toContain("There is no snapshot in");
  expect((await run("prune", { keep: "1" })).text).toContain("0 snapshots thrown away, 0 chunks with 0.0 MB\n");
});

test("one is made again and again, old ones are thrown away, and one that fails ends nothing", async () => {
  const shortly = () => sleep(10);
  const [busy, seen] = [join(folder, "busy"), [] as string[]];
  const output = { print: (text: string) => void seen.push(text), progress: { isTTY: false, write: () => true } };
  const going = runSnapshot("create", { dataDir: made, location: busy, interval: "1s", keep: "1" }, output, shortly);
  const turns = (kind: RegExp) => seen.filter((text) => kind.test(text)).length;
  await expect.poll(() => turns(/snapshots thrown away/)).toBeGreaterThan(1);
  rmSync(busy, { recursive: true });
  writeFileSync(busy, "");
  await expect.poll(() => turns(/cannot be used for snapshots.*; retry in 1s$/m)).toBeGreaterThan(0);
  rmSync(busy);
  const before = turns(/^Snapshot of block/);
  await expect.poll(() => turns(/^Snapshot of block/)).toBeGreaterThan(before);
  process.emit("SIGTERM");
  expect(await going).toBe(0);
});

test("wrong options are refused, and nothing is written", async () => {
  const dataDir = join(folder, "never");
  await expect(run("restore", { dataDir })).rejects.toThrow("Give --block, the hash of a final block");
  await expect(run("restore", { dataDir, block: "5c1b" })).rejects.toThrow("--block must be a whole block hash");
  await expect(run("restore", { dataDir, block: "5c".repeat(32) })).rejects.toThrow("`vedette snapshot list`");
  await expect(run("create", { dataDir })).rejects.toThrow("There is no data in");
  await expect(run("create", { dataDir: made, at: "00".repeat(32) })).rejects.toThrow("no block 0000");
  await expect(run("prune", { keep: "0" })).rejects.toThrow("--keep must be a number");
  await expect(run("create", { dataDir: made, interval: "nonsense" })).rejects.toThrow(
    "--interval must be a length of time",
  );
  await expect(run("list", { location: "" })).rejects.toThrow("Give --location");
  expect(readdirSync(folder)).not.toContain("never");
  writeFileSync(join(folder, "file"), "");
  await expect(run("create", { dataDir: made, location: join(folder, "file") })).rejects.toThrow(
    "cannot be used for snapshots",
  );
});
