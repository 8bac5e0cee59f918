import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BlockTable, Dag } from "@vedette/chain";
import { readConfig } from "@vedette/config";
import { toHex } from "@vedette/crypto";
import { decodeBlock, rnode } from "@vedette/protocol";
import { LmdbStore, StoreError, type TableName, tablesOf } from "@vedette/store";
import { fastFolder, flipBits, seededRandom } from "@vedette/testing";
import { StateStore } from "@vedette/tuplespace";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { makeData } from "../testing/testData.js";
import { checkFiles } from "./checkFiles.js";
import { openOffline } from "./OfflineData.js";
import { StateWalk } from "./repair/StateWalk.js";
import { repairData } from "./repairData.js";
import { verifyData } from "./verifyData.js";

const top = 20;
const folder = mkdtempSync(join(fastFolder, "vedette-repair-"));
const [made, path] = [join(folder, "made"), join(folder, "data")];
const { signal } = new AbortController();
const report = () => {};
const shard = "root";
const config = readConfig({
  ...{ home: folder, profile: undefined, configFile: undefined, environment: {} },
  options: new Map([["casper.max-number-of-parents", "1"]] as const),
}).config;
const use = { config, report, signal };

/** The answers, by question. */
type Answers = ReadonlyMap<string, string>;
let right: Answers;

beforeAll(async () => {
  let now = 1_700_000_000_000;
  await makeData(made, top, { nowMs: () => (now += 1_000) });
  cpSync(made, path, { recursive: true, filter: (name) => !name.endsWith(".lock") });
  right = await answers();
});
beforeEach(() => {
  rmSync(path, { recursive: true, force: true });
  cpSync(made, path, { recursive: true, filter: (name) => !name.endsWith(".lock") });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Tables with entries that are compared one by one. */
const compared = {
  chain: [
    "childBlocks",
    "blocksByHeight",
    "latestMessages",
    "lastFinalized",
    "blocksOfDeploy",
    "ownBlocks",
    "ownProposals",
  ],
  state: ["outcomes", "mergeable"],
} as const satisfies Record<string, readonly TableName[]>;

async function answers(): Promise<Answers> {
  const found = new Map<string, string>();
  await using chain = new LmdbStore(join(path, "chain"), { tables: tablesOf("chain"), looksThrough: false });
  await using state = new LmdbStore(join(path, "state"), { tables: tablesOf("state"), looksThrough: false });
  const [dag, blocks] = [new Dag(chain), new BlockTable(chain, { form: rnode.blockForm })];
  const walk = new StateWalk(new StateStore(state));
  for (const { hash, height } of dag.blocksByHeight(0n, dag.nextBlockNumber())) {
    const { finalized, invalid, postStateHash, preStateHash } = dag.require(hash);
    found.set(`block at ${height}`, toHex(hash));
    found.set(`${toHex(hash)} stands`, [finalized, invalid, toHex(preStateHash), toHex(postStateHash)].join());
    found.set(`${toHex(hash)} bytes`, toHex(blocks.findBytes(hash) ?? new Uint8Array(0)));
    found.set(`${toHex(hash)} state`, String(walk.isWhole(postStateHash)));
  }
  for (const [store, names] of [
    [chain, compared.chain],
    [state, compared.state],
  ] as const)
    for (const name of names)
      for (const [key, value] of store.table(name).range())
        found.set(`${name} ${toHex(key)}`, name === "blocksOfDeploy" ? "" : toHex(value));
  return found;
}

/** As the running node does with what comes from peers. */
async function fetchMissing(): Promise<number> {
  await using source = new LmdbStore(join(made, "chain"), { tables: tablesOf("chain"), readOnly: true });
  await using chain = new LmdbStore(join(path, "chain"), { tables: tablesOf("chain") });
  const [given, blocks] = [
    new BlockTable(source, { form: rnode.blockForm }),
    new BlockTable(chain, { form: rnode.blockForm }),
  ];
  const missing = [...chain.table("missingBlocks").range()].map(([hash]) => hash);
  for (const hash of missing) blocks.put(decodeBlock(given.findBytes(hash)!, rnode.blockForm));
  chain.write((tables) => {
    for (const hash of missing) tables("missingBlocks").delete(hash);
  });
  return missing.length;
}

async function problems(): Promise<readonly string[]> {
  const files = await checkFiles(path, report, signal);
  if (files.problemCount > 0) return files.problems;
  await using data = await openOffline(path, { isWritten: false, shard });
  return (await verifyData(data, report, signal)).problems;
}

test("a whole directory has nothing to be repaired, and stays as it is", async () => {
  expect(await problems()).toEqual([]);
  const repaired = await repairData(path, use);
  expect(repaired).toEqual({
    ...{ damages: 0, setAside: [], rebuilt: undefined, executed: 0, missingBlocks: 0, missingStates: 0 },
    asked: "peers",
  });
  expect(await answers()).toEqual(right);
});

test("bits of the states: they are made again by executing blocks", async () => {
  let executed = 0;
  for (let seed = 0; seed < 3; seed += 1) {
    cpSync(join(made, "state", "data.mdb"), join(path, "state", "data.mdb"));
    flipBits(join(path, "state", "data.mdb"), 10 ** (seed % 3), seededRandom(seed));
    const found = await problems();
    const repaired = await repairData(path, use);
    expect(repaired.damages > 0).toBe(found.length > 0);
    expect(repaired).toMatchObject({ rebuilt: undefined, missingBlocks: 0, missingStates: 0 });
    expect(await problems()).toEqual([]);
    expect(await answers()).toEqual(right);
    executed += repaired.executed;
  }
  expect(executed).toBeGreaterThan(0);
});

test("bits of the chain: what follows from blocks is made again, blocks come from peers", async () => {
  const seen = { rebuilt: 0, fetched: 0 };
  for (let seed = 0; seed < 4; seed += 1) {
    cpSync(join(made, "chain", "data.mdb"), join(path, "chain", "data.mdb"));
    flipBits(join(path, "chain", "data.mdb"), 10 ** (seed % 3), seededRandom(100 + seed));
    const found = await problems();
    if (found.length > 0) await expect(openOffline(path, { isWritten: false, shard })).rejects.toThrow(StoreError);
    const repaired = await repairData(path, use);
    expect(repaired.damages > 0).toBe(found.length > 0);
    const fetched = await fetchMissing();
    expect(fetched).toBe(repaired.missingBlocks);
    expect((await checkFiles(path, report, signal)).problems).toEqual([]);
    const answered = await answers();
    if (repaired.rebuilt !== undefined) seen.rebuilt += 1;
    seen.fetched += fetched;
    // Parts that could not be rebuilt without a missing block are absent; all present ones are right.
    const isShort = repaired.rebuilt !== undefined && repaired.rebuilt.blocks <= top;
    if (!isShort) expect(answered).toEqual(right);
    else {
      const blocks = [...answered].filter(
        ([question]) => question.startsWith("block at ") || question.endsWith(" bytes"),
      );
      for (const [question, answer] of blocks) expect([question, answer]).toEqual([question, right.get(question)]);
    }
  }
  expect(seen.rebuilt).toBeGreaterThan(0);
});

test("an entry of the DAG that is lost brings all answers back without a peer", async () => {
  for (const name of ["blockMetadata", "childBlocks"] as const) {
    cpSync(join(made, "chain", "data.mdb"), join(path, "chain", "data.mdb"));
    await changeKey(name);
    expect((await checkFiles(path, report, signal)).problemCount).toBeGreaterThan(0);
    const repaired = await repairData(path, use);
    expect(repaired).toMatchObject({ rebuilt: { blocks: top + 1, left: 0 }, missingBlocks: 0 });
    expect(await problems()).toEqual([]);
    expect(await answers()).toEqual(right);
  }
});

/** Changes a bit of a table's first key at every place, also in unused pages. */
async function changeKey(name: TableName): Promise<void> {
  const file = join(path, "chain", "data.mdb");
  const bytes = readFileSync(file);
  await using chain = new LmdbStore(join(path, "chain"), { tables: tablesOf("chain"), readOnly: true });
  const [[key, value] = []] = chain.table(name).range({ limit: 1 });
  const entry = Buffer.concat([key!, value!]);
  for (let at = bytes.indexOf(entry); at >= 0; at = bytes.indexOf(entry, at)) bytes[at + key!.length - 1]! ^= 1;
  writeFileSync(file, bytes);
}
