import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BlockTable, Dag } from "@vedette/chain";
import { readConfig } from "@vedette/config";
import { toHex } from "@vedette/crypto";
import { RnodeExecutor } from "@vedette/executor";
import { executorHere } from "@vedette/executor/testing";
import { rnode } from "@vedette/protocol";
import { LmdbStore, OverlayStore, type TableName, tablesOf } from "@vedette/store";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeData } from "../testing/testData.js";
import { openStoredHistory } from "./openStoredHistory.js";

const top = 6;
const folder = mkdtempSync(join(tmpdir(), "vedette-stored-"));
const config = readConfig({
  ...{ home: folder, profile: undefined, configFile: undefined, environment: {} },
  options: new Map([["casper.max-number-of-parents", "1"]] as const),
}).config;
let made = 0;

/** Without its thread. */
const open = (path: string) =>
  openStoredHistory(path, config, ({ stateDirectory }) => {
    const store = new LmdbStore(stateDirectory, { tables: tablesOf("state"), readOnly: true });
    const executor = executorHere(new RnodeExecutor(new OverlayStore(store), { checksHashes: true }));
    return { ...executor, [Symbol.asyncDispose]: () => store.close() };
  });

async function directory(liesAt?: number): Promise<string> {
  made += 1;
  const path = join(folder, String(made));
  let now = 1_700_000_000_000;
  const nowMs = () => (now += 1_000);
  await makeData(path, top, { nowMs, ...(liesAt === undefined ? {} : { liesAt }) });
  return path;
}

async function change(
  path: string,
  environment: "chain" | "state",
  name: TableName,
  flip: (key: Uint8Array, value: Uint8Array) => Uint8Array,
) {
  await using store = new LmdbStore(join(path, environment), { tables: tablesOf(environment) });
  store.write((tables) => {
    for (const [key, value] of [...tables(name).range()]) tables(name).put(key, flip(key, value));
  });
}

/** Returns the verdict on each block, by its height. */
async function judged(path: string, from = 0n): Promise<string[]> {
  const hashes: Uint8Array[] = [];
  {
    await using store = new LmdbStore(join(path, "chain"), { tables: tablesOf("chain"), readOnly: true });
    for (const { hash } of new Dag(store).blocksByHeight(from, BigInt(top))) hashes.push(hash);
  }
  await using history = await open(path);
  const said: string[] = [];
  for (const hash of hashes) {
    const verdict = await history.judge(hash);
    said.push(verdict.kind === "valid" ? "valid" : `${verdict.kind}: ${verdict.reason}`);
  }
  return said;
}

const valid = Array.from({ length: top + 1 }, () => "valid");

/** One that a test may change. */
function copyOf(whole: string): string {
  made += 1;
  const path = join(folder, String(made));
  cpSync(whole, path, { recursive: true });
  return path;
}

describe("the history of a data directory, judged again", () => {
  let whole: string;
  beforeAll(async () => {
    whole = await directory();
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test("is right from genesis on, beside the process that has the directory, and in any order", async () => {
    await using writer = new LmdbStore(join(whole, "state"), { tables: tablesOf("state") });
    const roots = () => [...writer.table("roots").range()].map(([key]) => toHex(key));
    const before = roots();
    expect(await judged(whole)).toEqual(valid);
    expect(roots()).toEqual(before);
    await using history = await open(whole);
    expect(await history.judge(new Uint8Array(32))).toEqual({ kind: "unjudged", reason: "the block is not here" });
  });

  test("names the block that leads elsewhere than it states, and no other", async () => {
    const said = await judged(await directory(4));
    expect(said[4]).toMatch(
      /^invalid: InvalidTransaction: it states that it leads to [0-9a-f]{64}, and by its deploys/,
    );
    expect(said.toSpliced(4, 1)).toEqual(valid.slice(1));
  });

  test("names a block with the bytes of another", async () => {
    const path = copyOf(whole);
    let other: Uint8Array | undefined;
    {
      await using store = new LmdbStore(join(path, "chain"), { tables: tablesOf("chain") });
      const blocks = new BlockTable(store, { form: rnode.blockForm });
      const [three, five] = [3n, 5n].map((height) => [...new Dag(store).blocksByHeight(height, height)][0]!.hash);
      other = blocks.findBytes(five!)!;
      store.write((tables) => tables("blocks").put(three!, other!));
    }
    const said = await judged(path);
    expect(said[3]).toMatch(/^invalid: its bytes have the hash/);
    expect(said[4]).toMatch(/^invalid: its parent [0-9a-f]{64}: its bytes have the hash/);
    expect(said.toSpliced(3, 2)).toEqual(valid.slice(2));
  });

  test("takes nothing for a state that has another hash", async () => {
    for (const name of ["cold", "history"] as const) {
      const path = copyOf(whole);
      await change(path, "state", name, (_, value) =>
        value.map((byte, at) => (at === value.length - 1 ? byte ^ 1 : byte)),
      );
      // Genesis begins with nothing, and what executing it makes is right.
      const said = await judged(path, 1n).catch(({ message }: Error) => [message]);
      for (const text of said) expect(text).toMatch(/The (node|leaf) that is stored as .* damaged/);
      expect(said).not.toEqual([]);
    }
  });
});
