import { fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SmallDisk, whyNoSmallDisk } from "@vedette/testing";
import { expect, test } from "vitest";
import type { StoreError } from "../StoreError.js";
import { LmdbStore } from "./LmdbStore.js";

const tables = ["history"] as const;
const childOf = (name: string) => fileURLToPath(new URL(`../../dist/testing/${name}.js`, import.meta.url));
const why = whyNoSmallDisk();
if (why !== undefined) process.stderr.write(`stores are not tried on a full disk: ${why}\n`);

const key = (number: number) => Uint8Array.of(number >>> 8, number & 255);

function failureOf(action: () => unknown): string | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    return (error as StoreError).failure.code;
  }
}

function put(store: LmdbStore, number: number, sizeBytes: number): void {
  store.write((open) => open("history").put(key(number), new Uint8Array(sizeBytes).fill(number)));
}

test.skipIf(why !== undefined)(
  "a store on a disk that fills up keeps all that it wrote, and goes on when there is room",
  async () => {
    using disk = new SmallDisk(12 << 20);
    const path = join(disk.path, "store");
    {
      await using store = new LmdbStore(path, { tables });
      put(store, 1, 100_000);
      for (let round = 2; round < 8; round += 1) {
        disk.fill();
        expect(failureOf(() => put(store, round, 100_000))).toBe("full");
        disk.empty();
        put(store, round, 100_000);
      }
    }
    await using store = new LmdbStore(path, { tables, readOnly: true });
    for (let number = 1; number < 8; number += 1)
      expect(store.table("history").get(key(number))?.[99_999]).toBe(number);
  },
);

test.skipIf(why !== undefined)(
  "a disk that fills up and empties again and again never brings the library to a write that fails",
  async () => {
    using disk = new SmallDisk(24 << 20);
    const child = fork(childOf("fullDiskChild"), [join(disk.path, "store")], { silent: true });
    let errors = "";
    child.stderr!.setEncoding("utf8").on("data", (text: string) => (errors += text));
    const ended = once(child, "exit");
    const does = async (order: string) => {
      const reply = once(child, "message") as Promise<[{ kept: number; refused: number }]>;
      child.send(order);
      return (await Promise.race([reply, ended.then(() => [{ kept: -1, refused: -1 }] as const)]))[0];
    };
    await does("round");
    for (let cycle = 0; cycle < 12; cycle += 1) {
      disk.fill(cycle % 3 === 0 ? 0 : cycle * 100_000);
      const before = await does("round");
      disk.empty();
      const { kept, refused } = await does("round");
      expect([kept > before.kept, refused > 0], errors).toEqual([true, true]);
    }
    await does("end");
    // The library reports "Write error" if the disk takes less than it writes, and has damaged memory then.
    expect([await ended, errors]).toEqual([[0, null], ""]);
  },
);

test.skipIf(why !== undefined)(
  "nothing is put where less is free than is reserved; reads and deletions go on",
  async () => {
    using disk = new SmallDisk(12 << 20);
    await using store = new LmdbStore(join(disk.path, "store"), { tables, reserveBytes: 2 << 20 });
    put(store, 1, 1_000);
    put(store, 3, 1_000);
    disk.fill(3 << 19);
    expect(failureOf(() => put(store, 2, 10))).toBe("reserved");
    expect(failureOf(() => store.together(() => put(store, 2, 10)))).toBe("reserved");
    expect(store.table("history").get(key(1))?.length).toBe(1_000);
    store.write((open) => open("history").delete(key(3)));
    disk.empty();
    put(store, 2, 10);
    expect(store.table("history").count()).toBe(2);
  },
);

test.skipIf(why !== undefined)(
  "opening a store on a full disk, its file of locks gone, is refused and ends no process",
  async () => {
    using disk = new SmallDisk(12 << 20);
    const path = join(disk.path, "store");
    await new LmdbStore(path, { tables }).close();
    rmSync(join(path, "lock.mdb"));
    disk.fill();
    const open = () => spawnSync(process.execPath, [childOf("openChild"), path], { encoding: "utf8" });
    expect(open()).toMatchObject({ signal: null, status: 0, stdout: "full\n" });
    disk.empty();
    expect(open()).toMatchObject({ signal: null, status: 0, stdout: "opened\n" });
    disk.fill();
    expect(open()).toMatchObject({ signal: null, status: 0, stdout: "opened\n" });
  },
);
