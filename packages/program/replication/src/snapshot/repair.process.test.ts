import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { BlockTable, Dag } from "@vedette/chain";
import { blake2b256, toHex } from "@vedette/crypto";
import { checkFiles, openOffline, pruneData, repairData, verifyData } from "@vedette/node/data";
import { makeData, type TestSettings, testConfig, writeData } from "@vedette/node/testing";
import { type Dialect, decodeBlock, f1r3node, rnode } from "@vedette/protocol";
import { LmdbStore, tablesOf } from "@vedette/store";
import { fastFolder, flipBits, seededRandom, usualCases } from "@vedette/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readManifest } from "./manifest/Manifest.js";
import { F1r3nodeNode, F1r3nodeWorld } from "./testing/F1r3nodeFixture.js";
import { MemoryPlace } from "./testing/MemoryPlace.js";
import { RestoredNode, SnapshotWorld } from "./testing/SnapshotWorld.js";

const folder = mkdtempSync(join(fastFolder, "vedette-repairs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, "data");
const { signal } = new AbortController();
const report = () => {};
const shard = "root";

/** Kinds of data that are not those of a node which has executed everything from genesis on. */
const kinds: readonly {
  readonly name: string;
  readonly dialect: Dialect;
  readonly settings: TestSettings;
  readonly make: (path: string) => Promise<void>;
}[] = [
  {
    name: "of a node that began with a snapshot",
    dialect: rnode,
    settings: [["casper.max-number-of-parents", "1"]],
    make: async (at) => {
      const world = await SnapshotWorld.begin(6);
      const place = new MemoryPlace();
      const { name } = await world.create(place);
      const node = new RestoredNode();
      await node.restore(place, readManifest(name, place.files.get(name)!.bytes));
      await writeData(at, rnode.name, node);
    },
  },
  {
    name: "of such a node of the newer dialect",
    dialect: f1r3node,
    settings: f1r3nodeSettings(),
    make: async (at) => {
      const world = await F1r3nodeWorld.begin({ below: 3, above: 0 });
      const node = new F1r3nodeNode();
      await node.restore(world.place);
      await writeData(at, f1r3node.name, node);
    },
  },
  {
    name: "of which states were forgotten",
    dialect: rnode,
    settings: [["casper.max-number-of-parents", "1"]],
    make: async (at) => {
      await makeData(at, 8);
      await using data = await openOffline(at, { isWritten: true, shard });
      await pruneData(data, 3n, { report, signal });
    },
  },
  {
    name: "of an f1r3node network",
    dialect: f1r3node,
    settings: f1r3nodeSettings(),
    make: async (at) => {
      const { network } = await F1r3nodeWorld.begin({ below: 3, above: 2 });
      const { store: chain, stateStore: state } = network.validators[0]!;
      await writeData(at, f1r3node.name, { chain, state });
    },
  },
];

function f1r3nodeSettings(): TestSettings {
  return [
    ["dialect", f1r3node.name],
    ["casper.max-number-of-parents", "10"],
    ["casper.genesis-block-data.epoch-length", "6"],
    ["casper.fault-tolerance-threshold", "0.1"],
  ];
}

const shortOf = (bytes: Uint8Array) => toHex(blake2b256(bytes)).slice(0, 12);

describe.each(usualCases(kinds, 2))("data $name", ({ name, dialect, settings, make }) => {
  const made = join(folder, name.replaceAll(" ", "-"));
  const use = { config: testConfig(folder, settings), report, signal };
  const copy = () => {
    rmSync(path, { recursive: true, force: true });
    cpSync(made, path, { recursive: true, filter: (file) => !/\.lock$|lock\.mdb$/.test(file) });
  };

  async function problems(): Promise<readonly string[]> {
    const files = await checkFiles(path, report, signal);
    if (files.problemCount > 0) return files.problems;
    await using data = await openOffline(path, { isWritten: false, shard });
    return (await verifyData(data, report, signal)).problems;
  }

  /** Returns the facts about blocks, and the recorded states. */
  async function answers(): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    await using chain = new LmdbStore(join(path, "chain"), { tables: tablesOf("chain"), looksThrough: false });
    await using state = new LmdbStore(join(path, "state"), { tables: tablesOf("state"), looksThrough: false });
    const [dag, blocks] = [new Dag(chain), new BlockTable(chain, { form: dialect.blockForm })];
    for (const { hash } of dag.blocksByHeight(0n, dag.nextBlockNumber())) {
      const { finalized, invalid, postStateHash, preStateHash } = dag.require(hash);
      const bytes = shortOf(blocks.findBytes(hash) ?? new Uint8Array(0));
      found.set(toHex(hash), [finalized, invalid, shortOf(preStateHash), shortOf(postStateHash), bytes].join());
      if (state.table("roots").has(postStateHash)) found.set(`state ${shortOf(postStateHash)}`, "");
    }
    for (const table of ["outcomes", "mergeable"] as const)
      for (const [key, value] of state.table(table).range()) found.set(`${table} ${shortOf(key)}`, shortOf(value));
    return found;
  }

  /** As the running node does with what comes from peers. */
  async function fetchMissing(): Promise<void> {
    await using source = new LmdbStore(join(made, "chain"), { tables: tablesOf("chain"), readOnly: true });
    await using chain = new LmdbStore(join(path, "chain"), { tables: tablesOf("chain") });
    const [given, blocks] = [source, chain].map((store) => new BlockTable(store, { form: dialect.blockForm }));
    for (const [hash] of [...chain.table("missingBlocks").range()]) {
      blocks!.put(decodeBlock(given!.findBytes(hash)!, dialect.blockForm));
      chain.write((tables) => tables("missingBlocks").delete(hash));
    }
  }

  let right: ReadonlyMap<string, string>;
  beforeAll(async () => {
    await make(made);
    copy();
    right = await answers();
  });
  beforeEach(copy);

  test("have nothing to be repaired where they are whole, and stay as they are", async () => {
    expect(await problems()).toEqual([]);
    const nothing = { damages: 0, setAside: [], executed: 0, missingBlocks: 0, missingStates: 0 };
    expect(await repairData(path, use)).toEqual({ ...nothing, rebuilt: undefined, asked: "peers" });
    expect(await answers()).toEqual(right);
  });

  test("are made whole where bits of their states have changed, or report what is lost", async () => {
    for (const seed of [1, 2]) {
      copy();
      flipBits(join(path, "state", "data.mdb"), 10 ** (seed - 1), seededRandom(seed));
      const repaired = await repairData(path, use);
      expect(repaired).toMatchObject({ rebuilt: undefined, missingBlocks: 0 });
      expect((await checkFiles(path, report, signal)).problems).toEqual([]);
      if (repaired.missingStates === 0) expect([await problems(), await answersToThe(right)]).toEqual([[], right]);
      else await expectPartOf(right);
    }
  });

  test("are made whole where bits of their chain have changed, or begin anew", async () => {
    for (const seed of [1, 2]) {
      copy();
      flipBits(join(path, "chain", "data.mdb"), 10 ** (seed - 1), seededRandom(100 + seed));
      const { rebuilt } = await repairData(path, use);
      await fetchMissing();
      expect((await checkFiles(path, report, signal)).problems).toEqual([]);
      if (rebuilt === undefined) expect([await problems(), await answersToThe(right)]).toEqual([[], right]);
      else await expectPartOf(right);
    }
  });

  /** Executing a block leaves more than a node has that was given its state. */
  async function answersToThe(questions: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, string>> {
    return new Map([...(await answers())].filter(([question]) => questions.has(question)));
  }

  /** Nothing of what is there is wrong. */
  async function expectPartOf(all: ReadonlyMap<string, string>): Promise<void> {
    for (const [question, answer] of await answersToThe(all)) {
      // Finality follows from the blocks that are left.
      const known = all.get(question)?.replace(/^(true|false),/, "");
      expect([question, answer.replace(/^(true|false),/, "")]).toEqual([question, known]);
    }
  }
});
