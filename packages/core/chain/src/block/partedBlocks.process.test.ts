import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { encodeBlock, hashKey } from "@vedette/protocol";
import { LmdbStore, type Store, tablesOf } from "@vedette/store";
import {
  fastFolder,
  placeDisk,
  powerCuts,
  recordProgram,
  seedOfToday,
  skipNote,
  whyNotRecorded,
} from "@vedette/testing";
import { expect, test } from "vitest";
import type { ReadingTask } from "../testing/blockReadingThread.js";
import { largeCopy, partedTable, testPartBytes, writeBlocks, writings } from "../testing/partedBlocks.js";

const why = whyNotRecorded();
const cuts = 25;
const copies = 20;
const built = (name: string) => new URL(`../../dist/testing/${name}.js`, import.meta.url);

test.skipIf(why !== undefined)(
  `large blocks are stored whole or not at all, whatever a loss of power leaves of the files${skipNote(why)}`,
  async () => {
    const record = recordProgram(fileURLToPath(built("partedBlocksChild")));
    const folder = mkdtempSync(join(fastFolder, "vedette-parts-"));
    try {
      for (const { content, promised, seed } of powerCuts(record, cuts, seedOfToday())) {
        const disk = join(folder, "disk");
        placeDisk(disk, content);
        await using store = new LmdbStore(join(disk, "data", "chain"), { tables: tablesOf("chain") });
        const done = Number(promised.at(-1) ?? 0);
        const there = done + (matches(store, done) ? 0 : 1);
        expect(matches(store, there), `seed ${seed}`).toBe(true);
        await partedTable(store).discardLeftovers();
        expect(partsIn(store), `seed ${seed}`).toBe(partsAfter(there));
        await writeBlocks(store, there, () => {});
        expect([matches(store, writings.length), partsIn(store)]).toEqual([true, partsAfter(writings.length)]);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

test("threads that read while copies of a large block are written find one of them whole each time", async () => {
  const directory = mkdtempSync(join(tmpdir(), "vedette-parts-"));
  try {
    await using store = new LmdbStore(join(directory, "chain"), { tables: tablesOf("chain") });
    const isOver = new Int32Array(new SharedArrayBuffer(4));
    const { hash } = largeCopy("block", 0, 0);
    const task: ReadingTask = { directory: join(directory, "chain"), hash, isOver };
    const readers = [1, 2].map(() => readBlocks(task));
    await Promise.all(readers.map(({ begun }) => begun));
    const table = partedTable(store);
    const expected = new Set(["none"]);
    for (let fill = 1; fill <= copies; fill += 1) {
      const copy = largeCopy("block", fill, 300_000 + fill * 7_000);
      await table.prepare(copy);
      table.put(copy);
      expected.add(`${fill} ${copy.extraBytes.length}`);
    }
    Atomics.store(isOver, 0, 1);
    for (const { ended } of readers) {
      const found = await ended;
      expect(Object.keys(found).filter((seen) => !expected.has(seen))).toEqual([]);
      expect(found["none"]).toBeGreaterThan(0);
      expect(Object.keys(found).length).toBeGreaterThan(2);
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
});

/** @returns when a thread has read for the first time, and how often it has found what in the end */
function readBlocks(task: ReadingTask) {
  const worker = new Worker(built("blockReadingThread"), { workerData: task, execArgv: [] });
  const begun = new Promise<void>((resolve, reject) => {
    worker.once("message", () => resolve());
    worker.once("error", reject);
  });
  const ended = new Promise<Record<string, number>>((resolve, reject) => {
    worker.on("message", ({ found }) => found !== undefined && resolve(found));
    worker.once("error", reject);
  });
  return { begun, ended };
}

/** Whether a store has exactly the blocks of the first `count` writings, byte by byte. */
function matches(store: Store, count: number): boolean {
  const last = new Map(writings.slice(0, count).map((block) => [hashKey(block.hash), block]));
  const table = partedTable(store);
  return [...last.values()].every((block) => table.isStored(block)) && store.table("blocks").count() === last.size;
}

function partsAfter(count: number): number {
  const last = new Map(writings.slice(0, count).map((block) => [hashKey(block.hash), block]));
  let parts = 0;
  for (const block of last.values()) {
    const { length } = encodeBlock(block);
    if (length > testPartBytes) parts += Math.ceil(length / testPartBytes);
  }
  return parts;
}

function partsIn(store: Store): number {
  return store.table("blockParts").count();
}
