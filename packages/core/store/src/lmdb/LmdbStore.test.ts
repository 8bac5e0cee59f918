import { spawnSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { crc32 } from "node:zlib";
import { asOrdinaryUser } from "@vedette/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { StoreFailure } from "../StoreError.js";
import { StoreError } from "../StoreError.js";
import { storeContract } from "../testing/storeContract.js";
import { LmdbStore } from "./LmdbStore.js";
import { sealEnvironment } from "./rewriteEnvironment.js";
import { storeFailure } from "./storeFailure.js";

const tables = ["history", "roots", "cold"] as const;
const newDirectory = (): string => mkdtempSync(join(tmpdir(), "vedette-store-"));
const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

storeContract("LmdbStore", async () => {
  const directory = newDirectory();
  return {
    store: new LmdbStore(join(directory, "state"), { tables, mapSizeBytes: 1 << 20 }),
    remove: async () => rmSync(directory, { recursive: true }),
  };
});

function failureOf(action: () => unknown): StoreFailure["code"] | undefined {
  try {
    action();
  } catch (error) {
    expect(error).toBeInstanceOf(StoreError);
    return (error as StoreError).failure.code;
  }
  return undefined;
}

describe("a data directory", () => {
  let path: string;
  beforeEach(() => {
    path = newDirectory();
  });
  afterEach(() => {
    chmodSync(path, 0o700);
    rmSync(path, { recursive: true });
  });

  async function filled(entries = 3): Promise<void> {
    const store = new LmdbStore(path, { tables });
    store.write((open) => {
      for (let i = 1; i <= entries; i += 1) open("history").put(bytes(i, i >>> 8), new Uint8Array(1000).fill(i));
    });
    await store.close();
  }

  test("keeps its content when it is closed and opened again", async () => {
    await filled();
    const store = new LmdbStore(path, { tables: [...tables, "mergeable"] });
    expect(store.table("history").get(bytes(2, 0))).toEqual(new Uint8Array(1000).fill(2));
    expect(store.table("mergeable").count()).toBe(0);
    await store.close();
  });

  test("a reader sees what the writer writes, also after the file has grown, and cannot write", async () => {
    const writer = new LmdbStore(path, { tables, mapSizeBytes: 1 << 20 });
    const reader = new LmdbStore(path, { tables, readOnly: true });
    writer.write((open) => {
      for (let i = 0; i < 500; i += 1) open("history").put(bytes(i, i >>> 8), new Uint8Array(10_000).fill(i));
    });
    reader.refresh();
    expect(reader.table("history").count()).toBe(500);
    expect(reader.table("history").get(bytes(243, 1))?.[0]).toBe(243);
    expect(failureOf(() => reader.write(() => {}))).toBe("readOnly");
    await reader.close();
    expect(writer.table("history").get(bytes(1, 0))?.[0]).toBe(1);
    await writer.close();
  });

  test("returns the space that its tables take, and the free space of its file", async () => {
    await using store = new LmdbStore(path, { tables: [...tables] });
    const before = store.usage();
    expect(before.tables.get("history")).toEqual({ entries: 0, sizeBytes: 0 });
    store.write((open) => {
      for (let i = 0; i < 100; i += 1) open("history").put(bytes(i), new Uint8Array(10_000));
    });
    const { entries, sizeBytes } = store.usage().tables.get("history")!;
    expect([entries, sizeBytes >= 1_000_000, sizeBytes < 1_400_000]).toEqual([100, true, true]);
    store.write((open) => {
      for (let i = 0; i < 100; i += 1) open("history").delete(bytes(i));
    });
    const after = store.usage();
    expect(after.fileBytes).toBeGreaterThan(1_000_000);
    expect(after.freeBytes / after.fileBytes).toBeGreaterThan(0.9);
  });

  test("a process that is killed leaves its finished writes", async () => {
    await filledUnsealed("vedette-3", 1);
    const lmdb = pathToFileURL(createRequire(import.meta.url).resolve("lmdb")).href;
    const script = `
      import lmdb from ${JSON.stringify(lmdb)};
      const options = { encoding: "binary", keyEncoding: "binary" };
      const environment = lmdb.open({ path: ${JSON.stringify(path)}, ...options, overlappingSync: false });
      const table = environment.openDB({ name: "history", ...options });
      environment.transactionSync(() => { table.putSync(new Uint8Array([9, 9]), new Uint8Array([9])); });
      environment.transactionSync(() => { table.putSync(new Uint8Array([8, 8]), new Uint8Array([8])); process.kill(process.pid, "SIGKILL"); });`;
    const result = spawnSync(process.execPath, ["--input-type=module", "-e", script]);
    expect(result.signal).toBe("SIGKILL");
    const store = new LmdbStore(path, { tables });
    expect(store.table("history").get(bytes(9, 9))).toEqual(bytes(9));
    expect(store.table("history").get(bytes(8, 8))).toBeUndefined();
    expect(store.table("history").count()).toBe(2);
    await store.close();
  });

  test("that could not be finished when it was made is made anew", async () => {
    for (const file of ["unfinished.mdb", "unfinished.mdb-lock"]) writeFileSync(join(path, file), new Uint8Array(100));
    await filled(1);
    expect(readdirSync(path).sort()).toEqual(["data.mdb", "lock.mdb"]);
  });

  test("that is missing, or a file, is named", () => {
    expect(failureOf(() => new LmdbStore(join(path, "none"), { tables, readOnly: true }))).toBe("missing");
    expect(failureOf(() => new LmdbStore(path, { tables, readOnly: true }))).toBe("missing");
    writeFileSync(join(path, "file"), "x");
    expect(failureOf(() => new LmdbStore(join(path, "file"), { tables }))).toBe("notADirectory");
    expect(failureOf(() => new LmdbStore(join(path, "file", "below"), { tables }))).toBe("notADirectory");
  });

  test("with files of another program is refused", async () => {
    writeFileSync(join(path, "letter.txt"), "x");
    expect(() => new LmdbStore(path, { tables })).toThrow(
      "holds files that are not Vedette's; choose an empty directory",
    );
    rmSync(join(path, "letter.txt"));
    writeFileSync(join(path, "data.mdb"), new Uint8Array(20_000).fill(1));
    expect(failureOf(() => new LmdbStore(path, { tables }))).toBe("foreign");
    rmSync(join(path, "data.mdb"));
    const { open } = await import("lmdb");
    const other = open({ path, encoding: "binary", keyEncoding: "binary" });
    other.openDB({ name: "theirs", encoding: "binary" }).putSync(bytes(1), bytes(1));
    await other.close();
    expect(failureOf(() => new LmdbStore(path, { tables }))).toBe("foreign");
  });

  const raw = { encoding: "binary", keyEncoding: "binary" } as const;

  async function markAs(format: string): Promise<void> {
    const { open } = await import("lmdb");
    const environment = open({ path, ...raw, overlappingSync: false });
    const table = environment.openDB({ name: "format", ...raw });
    table.putSync(Buffer.from("format"), Buffer.from(format));
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(format));
    if (format < "vedette-4") table.removeSync(Buffer.from("sum"));
    else table.putSync(Buffer.from("sum"), sum);
    await environment.close();
  }

  async function mark(): Promise<string> {
    const { open } = await import("lmdb");
    const environment = open({ path, ...raw, overlappingSync: false });
    const found = environment.openDB({ name: "format", ...raw }).getBinary(Buffer.from("format"));
    await environment.close();
    return Buffer.from(found!).toString();
  }

  /** As an earlier version writes it. */
  async function filledUnsealed(format: string, entries = 3): Promise<void> {
    await new LmdbStore(path, { tables }).close();
    await markAs(format);
    const { open } = await import("lmdb");
    const environment = open({ path, ...raw, overlappingSync: false });
    const table = environment.openDB({ name: "history", ...raw });
    for (let i = 1; i <= entries; i += 1) table.putSync(bytes(i, 0), new Uint8Array(1000).fill(i));
    await environment.close();
  }

  test.each(["vedette-1", "vedette-2"])(
    "of the earlier format %s is read as it is, becomes the last without seals when it is opened for writing, and one of this when it is sealed",
    async (earlier) => {
      await filledUnsealed(earlier);
      for (const readOnly of [true, false]) {
        const before = readFileSync(join(path, "data.mdb"));
        const store = new LmdbStore(path, { tables, readOnly });
        expect(store.table("history").get(bytes(2, 0))).toEqual(new Uint8Array(1000).fill(2));
        await store.close();
        expect(readFileSync(join(path, "data.mdb")).equals(before)).toBe(readOnly);
      }
      expect(await mark()).toBe("vedette-3");
      const yieldNow = async () => {};
      expect(await sealEnvironment(path, "state", { yieldNow })).toBe(true);
      expect(await sealEnvironment(path, "state", { yieldNow })).toBe(false);
      expect(await mark()).toBe("vedette-4");
      await using store = new LmdbStore(path, { tables });
      expect(store.table("history").get(bytes(2, 0))).toEqual(new Uint8Array(1000).fill(2));
      expect(store.isSealed).toBe(true);
    },
  );

  test("of another format is refused", async () => {
    await filled();
    await markAs("vedette-9");
    expect(() => new LmdbStore(path, { tables })).toThrow(
      "was written in format vedette-9, this version uses vedette-4; use the version that wrote it, or an empty data directory; nothing was changed",
    );
  });

  test("with a file that was cut off is damaged; an empty file is a new store", async () => {
    await filled(200);
    const file = join(path, "data.mdb");
    truncateSync(file, 5000);
    expect(failureOf(() => new LmdbStore(path, { tables }))).toBe("damaged");
    truncateSync(file, 0);
    await filled(200);
    truncateSync(file, Math.floor(statSync(file).size / 2));
    expect(failureOf(() => new LmdbStore(path, { tables }))).toBe("damaged");
    expect(failureOf(() => new LmdbStore(path, { tables, readOnly: true }))).toBe("damaged");
  });

  test("with an overwritten head is refused", async () => {
    await filled();
    const file = openSync(join(path, "data.mdb"), "r+");
    writeSync(file, new Uint8Array(8192).fill(0x55), 0, 8192, 0);
    closeSync(file);
    expect(failureOf(() => new LmdbStore(path, { tables }))).toBe("foreign");
  });

  test("that may not be written is named", () => {
    mkdirSync(join(path, "locked"));
    chmodSync(join(path, "locked"), 0o500);
    chmodSync(path, 0o755);
    const open = () => new LmdbStore(join(path, "locked"), { tables });
    expect(asOrdinaryUser(() => failureOf(open))).toBe("notAllowed");
  });
});

test("what the system reports becomes a sentence", () => {
  const text = (message: string, code?: string): string =>
    storeFailure("/data", Object.assign(new Error(message), code === undefined ? {} : { code })).message;
  expect(text("No space left on device")).toBe("The disk of /data is full; free some space, nothing was lost");
  expect(text("x", "EDQUOT")).toBe("The disk of /data is full; free some space, nothing was lost");
  expect(text("x", "EROFS")).toBe(
    "/data cannot be written; check its owner and permissions, and that the disk is not mounted read-only",
  );
  expect(text("MDB_CORRUPTED: Located page was wrong type")).toBe(
    "The data in /data/data.mdb is damaged (MDB_CORRUPTED: Located page was wrong type); check the disk, then run `vedette db verify --repair` with the node stopped",
  );
  expect(text("strange")).toBe("The store in /data failed: strange");
});
