import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { F1r3nodeTestNetwork, ownBeginning } from "@vedette/executor/testing";
import { lockDirectory } from "@vedette/node/machine";
import { makeData, writeData } from "@vedette/node/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type DbAction, runDb } from "./runDb.js";
import { StageProgress } from "./StageProgress.js";

const folder = mkdtempSync(join(tmpdir(), "vedette-db-"));
const [made, dataDir] = [join(folder, "made"), join(folder, "data")];

beforeAll(() => makeData(made, 6), 120_000);
beforeEach(() => {
  rmSync(dataDir, { recursive: true, force: true });
  cpSync(made, dataDir, { recursive: true, filter: (name) => !name.endsWith(".lock") });
});
afterAll(() => rmSync(folder, { recursive: true }));

async function run(action: DbAction, more: Readonly<Record<string, string | boolean>> = {}) {
  const printed: string[] = [];
  const progress = { isTTY: false, write: () => true };
  const output = { print: (text: string) => void printed.push(text), progress };
  const code = await runDb(action, { dataDir, ...more }, output);
  return { code, text: printed.join("") };
}

test("stats are for people, and one JSON object for programs", async () => {
  const { code, text } = await run("stats");
  expect(code).toBe(0);
  expect(text).toContain(`${dataDir}: 7 blocks from #0 to #6, final up to #`);
  expect(text).toMatch(
    /\nchain: \d+\.\d MB, of it \d+\.\d MB free\n {2}blocks +7 entries +\d+\.\d MB +\d+ bytes a block\n/,
  );
  const stats = JSON.parse((await run("stats", { json: true })).text);
  expect(stats).toMatchObject({ path: dataDir, blocks: 7, lowestHeight: 0, highestHeight: 6 });
  expect(stats.environments.map(({ name }: { readonly name: string }) => name)).toEqual(["chain", "state"]);
});

test("verify, migrate and compact report what they did; the exit code is that of the answer", async () => {
  expect(await run("verify")).toMatchObject({
    code: 0,
    text: expect.stringMatching(/^7 blocks, .* leaves: all is well\n$/),
  });
  expect((await run("migrate")).text).toBe(
    "0 blocks packed, 0 nodes stored as changes, 0 records written anew, 0 files given checksums\n`vedette db compact` makes the files smaller\n",
  );
  expect((await run("compact")).text).toMatch(/^chain: .* MB before, .* MB now\nstate: .* MB before, .* MB now\n$/);
  expect((await run("verify")).code).toBe(0);
});

test("prune requires a range of states to keep, and keeps what the chain needs", async () => {
  expect(await run("prune")).toEqual({
    code: 1,
    text: "storage.state-retention is archive, which keeps all states; choose the kept ones with --history\n",
  });
  const { code, text } = await run("prune", { history: "finalized" });
  expect([code, text]).toEqual([0, expect.stringMatching(/states are there from block #0 on\n/)]);
  await expect(run("prune", { history: "10" })).rejects.toThrow(
    "must be archive, finalized, or a number of blocks, at least 1000",
  );
  expect((await run("verify")).code).toBe(0);
});

test("a directory that is in use, or of another network, is refused", async () => {
  await expect(run("stats", { shardName: "other" })).rejects.toThrow("'other' is configured");
  const lock = await lockDirectory(dataDir);
  await expect(run("verify")).rejects.toThrow("is in use by another Vedette process");
  await new Promise((done) => lock.close(done));
});

test("a directory is read and repaired by its own dialect, whatever is configured", async () => {
  const f1r3nodeFolder = join(folder, "newer");
  const { validators } = await F1r3nodeTestNetwork.begin(ownBeginning());
  const { store: chain, stateStore: state } = validators[0]!;
  await writeData(f1r3nodeFolder, "f1r3node", { chain, state });
  expect(await run("verify", { dataDir: f1r3nodeFolder, repair: true })).toEqual({
    code: 0,
    text: expect.stringMatching(/^0 damaged pages and values\n1 blocks, .*: all is well\n$/),
  });
});

test("progress is a bar on a terminal, and a line now and then elsewhere", () => {
  let nowMs = 0;
  const shown = (isTTY: boolean) => {
    const written: string[] = [];
    const stream = { isTTY, write: (text: unknown) => written.push(String(text)) > 0 };
    const progress = new StageProgress(stream as Pick<NodeJS.WriteStream, "isTTY" | "write">, () => nowMs);
    for (let done = 0; done <= 100; done += 10, nowMs += 1_000) progress.report("blocks", done, 100);
    progress.end();
    return written;
  };
  expect(shown(true).at(5)).toBe(`\r${"blocks"}  ${"█".repeat(14)}${"░".repeat(10)} 60/100  4 s left\u001b[K`);
  expect(shown(false)).toEqual([
    `blocks  ${"█".repeat(12)}${"░".repeat(12)} 50/100  5 s left\n`,
    `blocks  ${"█".repeat(24)} 100/100  0 s left\n`,
  ]);
});
