import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { BlockTable, Dag } from "@vedette/chain";
import { toHex } from "@vedette/crypto";
import { checkFiles, openOffline, repairData, verifyData } from "@vedette/node/data";
import { testConfig, writeData } from "@vedette/node/testing";
import { rnode } from "@vedette/protocol";
import { LmdbStore, type MemoryStore, tablesOf } from "@vedette/store";
import { fastFolder, flipBits, seededRandom } from "@vedette/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { LoggedChain } from "./testing/LoggedChain.js";
import type { MemoryPort } from "./testing/MemoryPort.js";
import { MemorySource } from "./testing/MemorySource.js";
import { publishAll } from "./testing/publishAll.js";
import { ReplicaWorld } from "./testing/ReplicaWorld.js";

const folder = mkdtempSync(join(fastFolder, "vedette-replica-repair-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const [made, path] = [join(folder, "made"), join(folder, "data")];
const { signal } = new AbortController();
const report = () => {};
const config = testConfig(folder, [["casper.max-number-of-parents", "1"]]);
const use = { config, report, signal };

let stream: MemoryPort;
beforeAll(async () => {
  stream = await publishAll(await LoggedChain.begin(8));
  const world = new ReplicaWorld();
  await world.follow(new MemorySource(stream));
  await writeData(made, rnode.name, { chain: world.chainStore, state: world.stateStore });
});
beforeEach(copy);

function copy(): void {
  rmSync(path, { recursive: true, force: true });
  cpSync(made, path, { recursive: true, filter: (file) => !/\.lock$|lock\.mdb$/.test(file) });
}

async function problems(): Promise<readonly string[]> {
  const files = await checkFiles(path, report, signal);
  if (files.problemCount > 0) return files.problems;
  await using data = await openOffline(path, { isWritten: false, shard: "root" });
  return (await verifyData(data, report, signal)).problems;
}

async function blocksOf(directory: string): Promise<ReadonlyMap<string, string>> {
  await using chain = new LmdbStore(join(directory, "chain"), { tables: tablesOf("chain"), readOnly: true });
  const [dag, blocks] = [new Dag(chain), new BlockTable(chain, { form: rnode.blockForm })];
  return new Map(
    [...dag.blocksByHeight(0n, dag.nextBlockNumber())].map(({ hash }) => {
      const { finalized, postStateHash } = dag.require(hash);
      return [
        toHex(hash),
        [finalized, toHex(postStateHash), toHex(blocks.findBytes(hash) ?? new Uint8Array(0))].join(),
      ];
    }),
  );
}

/** The replica runs again on the directory, until it has read its stream. */
async function follow(): Promise<void> {
  const world = new ReplicaWorld();
  for (const [name, into] of [
    ["chain", world.chainStore],
    ["state", world.stateStore],
  ] as const) {
    await using store = new LmdbStore(join(path, name), { tables: tablesOf(name), readOnly: true });
    copyTables(name, store, into);
  }
  await world.follow(new MemorySource(stream));
  rmSync(path, { recursive: true });
  await writeData(path, rnode.name, { chain: world.chainStore, state: world.stateStore });
}

function copyTables(name: "chain" | "state", from: LmdbStore, into: MemoryStore): void {
  into.write((tables) => {
    for (const table of tablesOf(name))
      for (const [key, value] of from.table(table).range()) tables(table).put(key, value);
  });
}

test("a replica's data that are whole have nothing to be repaired", async () => {
  expect(await problems()).toEqual([]);
  const nothing = { damages: 0, setAside: [], executed: 0, missingBlocks: 0, missingStates: 0, asked: "stream" };
  expect(await repairData(path, use)).toEqual({ ...nothing, rebuilt: undefined });
  expect(await problems()).toEqual([]);
});

test.each(["chain", "state"] as const)("bits of its %s: what is lost comes by the stream again", async (name) => {
  for (const seed of [1, 2, 3]) {
    copy();
    flipBits(join(path, name, "data.mdb"), 10 ** (seed % 3), seededRandom(seed));
    await repairData(path, use);
    await follow();
    expect(await problems()).toEqual([]);
    expect(await blocksOf(path)).toEqual(await blocksOf(made));
  }
});

test("blocks that are lost, genesis among them, and a state come by the stream again", async () => {
  {
    await using chain = new LmdbStore(join(path, "chain"), { tables: tablesOf("chain") });
    await using state = new LmdbStore(join(path, "state"), { tables: tablesOf("state") });
    const dag = new Dag(chain);
    const some = [...dag.blocksByHeight(0n, dag.nextBlockNumber())].filter(({ height }) => height % 3n === 0n);
    chain.write((tables) => {
      for (const { hash } of some) tables("blocks").delete(hash);
    });
    state.write((tables) => tables("roots").delete(dag.lastFinalized()!.postStateHash));
  }
  const repaired = await repairData(path, use);
  expect(repaired).toMatchObject({ missingBlocks: 3, asked: "stream" });
  await follow();
  expect(await problems()).toEqual([]);
  expect(await blocksOf(path)).toEqual(await blocksOf(made));
});
