import { closeSync, cpSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fastFolder, flipBits, runs, seededRandom } from "@vedette/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { StoreError } from "../StoreError.js";
import { type DamagedValue, watchDamage } from "../seal/damagedValues.js";
import { type TableName, tablesOf } from "../tables.js";
import { checkEnvironment } from "./checkEnvironment.js";
import { compactEnvironment } from "./compactEnvironment.js";
import { LmdbStore } from "./LmdbStore.js";
import type { FileDamage } from "./pages/checkFile.js";
import { rewriteEnvironment } from "./rewriteEnvironment.js";

const folder = mkdtempSync(join(fastFolder, "vedette-damage-"));
const [made, path] = [join(folder, "made"), join(folder, "chain")];
const tables = tablesOf("chain");
const used = ["blocks", "blockMetadata", "childBlocks", "lastFinalized", "deployPool"] as const;
const lasting: ReadonlySet<TableName> = new Set(["blocks"]);
type Content = Map<string, string>;
const content: Content = new Map();
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

/** Short and long values, many transactions, and pages that nothing uses any more. */
async function make(): Promise<void> {
  const random = seededRandom(1);
  const bytes = (length: number) => Uint8Array.from({ length }, () => random() * 256);
  await using store = new LmdbStore(made, { tables });
  const put = (
    open: (name: TableName) => { put(key: Uint8Array, value: Uint8Array): void },
    name: TableName,
    key: Uint8Array,
    value: Uint8Array,
  ) => {
    open(name).put(key, value);
    content.set(`${name} ${hex(key)}`, hex(value));
  };
  for (let transaction = 0; transaction < 24; transaction += 1)
    store.write((open) => {
      for (let index = 0; index < 8; index += 1) {
        const hash = bytes(32);
        put(open, "blocks", hash, bytes(index === 0 ? 9_000 : 300));
        put(open, "blockMetadata", hash, bytes(120));
        put(open, "childBlocks", bytes(64), new Uint8Array(0));
        put(open, "deployPool", Uint8Array.of(index), bytes(3_000));
      }
      put(open, "lastFinalized", Uint8Array.of(0), bytes(32));
    });
}

/** @returns the refused reads; all answers are right */
async function ask(isLooked = true): Promise<"refused" | "reported" | "right"> {
  let store: LmdbStore;
  try {
    store = new LmdbStore(path, { tables, looksThrough: isLooked });
  } catch (error) {
    expect(error).toBeInstanceOf(StoreError);
    expect((error as StoreError).message).toMatch(
      /data\.mdb is damaged .*`vedette db verify --repair` with the node stopped$/,
    );
    return "refused";
  }
  await using opened = store;
  const found: Content = new Map();
  const isDamage = (error: unknown) => error instanceof StoreError && error.failure.code === "damaged";
  let isReported = false;
  for (const name of used) {
    try {
      for (const [key, value] of opened.table(name).range()) found.set(`${name} ${hex(key)}`, hex(value));
    } catch (error) {
      expect(isDamage(error)).toBe(true);
      isReported = true;
    }
  }
  for (const [place, value] of found) expect(value === content.get(place)).toBe(true);
  for (const [place, value] of content) {
    const [name, key] = place.split(" ") as [TableName, string];
    try {
      const answer = opened.table(name).get(Buffer.from(key, "hex"));
      expect(answer !== undefined && hex(answer) === value).toBe(true);
    } catch (error) {
      if (!isDamage(error)) throw error;
      isReported = true;
    }
  }
  if (!isReported) expect(found.size).toBe(content.size);
  return isReported ? "reported" : "right";
}

async function damages(): Promise<readonly FileDamage[]> {
  const found: FileDamage[] = [];
  await checkEnvironment(
    path,
    (damage) => void found.push(damage),
    async () => {},
  );
  return found;
}

describe("a file with changed bits", () => {
  beforeAll(make);
  beforeEach(() => {
    rmSync(path, { recursive: true, force: true });
    cpSync(made, path, { recursive: true });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test("is whole as it was written, and when it was compacted", async () => {
    expect(await damages()).toEqual([]);
    expect(await ask()).toBe("right");
    await compactEnvironment(path, "chain");
    expect(await damages()).toEqual([]);
    expect(await ask()).toBe("right");
  });

  test.each([1, 3, 25, 400])(
    "%i of them: what is answered is right, and the file can be written anew",
    async (count) => {
      const seen = { refused: 0, reported: 0, right: 0 };
      for (let seed = 0; seed < (count === 400 ? runs(1, 3) : runs(2, 8)); seed += 1) {
        cpSync(join(made, "data.mdb"), join(path, "data.mdb"));
        flipBits(join(path, "data.mdb"), count, seededRandom(1_000 * count + seed));
        const answered = await ask();
        seen[answered] += 1;
        const found = await damages();
        expect(found.length > 0).toBe(answered !== "right");
        const rewritten = await rewriteEnvironment(path, "chain", { yieldNow: async () => {} });
        expect(rewritten.damages).toEqual(found);
        expect(await damages()).toEqual([]);
        await using store = new LmdbStore(path, { tables });
        let lost = 0;
        for (const [place, value] of content) {
          const [name, key] = place.split(" ") as [TableName, string];
          const answer = store.table(name).get(Buffer.from(key, "hex"));
          const isLasting = lasting.has(name);
          if (answer === undefined) lost += Number(isLasting);
          // A page of an earlier time may be taken for the present one.
          else if (isLasting || !rewritten.incomplete.has(name)) expect(hex(answer) === value).toBe(true);
        }
        // A page of short values at most is lost by a bit of its head.
        expect(lost).toBeLessThanOrEqual(count * 4);
      }
      expect(seen.reported).toBe(0);
      if (count === 400) expect(seen.right).toBe(0);
    },
  );

  test.each([0, 1])(
    "in the number of head %i: what an earlier transaction left is not taken for the present",
    async (page) => {
      for (let bit = 1; bit < 256; bit *= 2) {
        const file = readFileSync(join(made, "data.mdb"));
        file[page * 4_096 + 24 + 128]! ^= bit;
        writeFileSync(join(path, "data.mdb"), file);
        expect([bit, (await damages()).length > 0]).toEqual([bit, true]);
      }
    },
  );

  test("in the name of its mark: values are not taken for those of a file without checksums", async () => {
    const file = readFileSync(join(path, "data.mdb"));
    for (let at = file.indexOf("format"); at >= 0; at = file.indexOf("format", at)) file[at]! ^= 1;
    writeFileSync(join(path, "data.mdb"), file);
    expect(await ask()).toBe("refused");
    expect(await damages()).not.toEqual([]);
    const rewritten = await rewriteEnvironment(path, "chain", { yieldNow: async () => {} });
    expect(rewritten.damages.map(({ table }) => table)).toEqual(["format", "gormat", "gormat"]);
    expect(await damages()).toEqual([]);
    expect(await ask()).toBe("right");
  });

  test("a value that changes while the store is open is reported, in all threads, and never returned", async () => {
    const reported: DamagedValue[] = [];
    using _watching = watchDamage((damaged) => reported.push(damaged));
    const [place, value] = [...content].find(([name, text]) => name.startsWith("blocks ") && text.length > 10_000)!;
    const key = Buffer.from(place.split(" ")[1]!, "hex");
    await using store = new LmdbStore(path, { tables });
    const file = readFileSync(join(path, "data.mdb"));
    const at = file.indexOf(Buffer.from(value, "hex").subarray(0, 64)) + 40;
    const written = openSync(join(path, "data.mdb"), "r+");
    writeSync(written, Uint8Array.of(file[at]! ^ 4), 0, 1, at);
    closeSync(written);
    const wrong = `what table blocks has under ${hex(key)} is not what was written`;
    expect(() => store.table("blocks").get(key)).toThrow(wrong);
    expect(() => [...store.table("blocks").range({ from: key, limit: 1 })]).toThrow(wrong);
    expect(store.table("blocks").has(key)).toBe(true);
    await expect.poll(() => reported.length).toBeGreaterThan(0);
    expect(reported[0]).toEqual({ path, table: "blocks", key: new Uint8Array(key) });
  });
});
