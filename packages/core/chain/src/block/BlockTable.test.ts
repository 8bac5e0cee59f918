import { Block, decodeBlock, encodeBlock, rnode, WireError } from "@vedette/protocol";
import { MemoryStore, type Store, tablesOf } from "@vedette/store";
import { until } from "@vedette/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { testGenesis } from "../testing/ProposeNetwork.js";
import { largeCopy, partedTable, testPartBytes } from "../testing/partedBlocks.js";
import { BlockTable } from "./BlockTable.js";

const genesis = testGenesis({ v1: 1 });
const large = (fill: number) => new Block({ ...genesis, extraBytes: new Uint8Array(5 << 20).fill(fill) });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("a large block that was stored is at hand while it is judged, and not kept for longer", () => {
  const blocks = new BlockTable(new MemoryStore(tablesOf("chain")), { form: rnode.blockForm });
  const block = large(1);
  blocks.put(block);
  expect(blocks.find(block.hash) === block).toBe(true);
  vi.advanceTimersByTime(15_000);
  const read = blocks.find(block.hash)!;
  expect(read === block).toBe(false);
  expect(Buffer.compare(read.extraBytes, block.extraBytes)).toBe(0);
});

test("a large block is stored when its very bytes are, and another copy under its hash takes its place", () => {
  const blocks = new BlockTable(new MemoryStore(tablesOf("chain")), { form: rnode.blockForm });
  const [block, copy] = [large(1), large(2)];
  blocks.put(block);
  expect([blocks.isStored(block), blocks.isStored(large(1)), blocks.isStored(copy)]).toEqual([true, true, false]);
  blocks.put(copy);
  expect(blocks.find(block.hash) === copy).toBe(true);
  expect([blocks.isStored(block), blocks.isStored(copy)]).toEqual([false, true]);
});

const chainStore = () => new MemoryStore(tablesOf("chain"));
const parts = (store: Store) => store.table("blockParts").count();
/** Ends a writing amid its parts, as a kill does. */
const killedAfter = (count: number) => {
  let left = count;
  return () => ((left -= 1) > 0 ? Promise.resolve() : new Promise<void>(() => {}));
};

test("a block that is forgotten leaves nothing, in however many parts it was stored", async () => {
  const store = chainStore();
  const table = partedTable(store);
  const [block, other] = [largeCopy("one", 7, 5 * testPartBytes), largeCopy("two", 8, 5 * testPartBytes)];
  for (const one of [block, other, genesis]) {
    await table.prepare(one);
    table.put(one);
  }
  const before = parts(store);
  for (const one of [block, genesis]) table.forget(one.hash);
  table.forget(new Uint8Array(32));
  expect([block, genesis, other].map(({ hash }) => table.has(hash))).toEqual([false, false, true]);
  expect(table.find(block.hash)).toBeUndefined();
  expect(parts(store)).toBe(before / 2);
  expect(table.read(other.hash)?.hash).toEqual(other.hash);
});

test("a block that is longer than a part is stored in parts, and there when all of them are", async () => {
  const store = chainStore();
  const block = largeCopy("one", 7, 5 * testPartBytes);
  const seen: unknown[] = [];
  const table = partedTable(store, async () => void seen.push([parts(store), partedTable(store).has(block.hash)]));
  await table.prepare(block);
  expect(seen).toEqual([2, 3, 4, 5, 6, 7].map((count) => [count, false]));
  expect(partedTable(store).find(block.hash)).toBeUndefined();
  table.put(block);
  const read = partedTable(store);
  expect(Buffer.compare(read.findBytes(block.hash)!, encodeBlock(block))).toBe(0);
  expect(Buffer.compare(read.read(block.hash)!.extraBytes, block.extraBytes)).toBe(0);
  expect([read.isStored(block), read.isStored(largeCopy("one", 8, 5 * testPartBytes))]).toEqual([true, false]);
  expect(parts(store)).toBe(6);
});

test("the entry of a large block is not read as a block, and blocks of earlier versions are read as they are", () => {
  const store = chainStore();
  const block = largeCopy("one", 7, 5 * testPartBytes);
  store.write((tables) => tables("blocks").put(block.hash, encodeBlock(block)));
  const table = partedTable(store);
  expect(Buffer.compare(table.read(block.hash)!.extraBytes, block.extraBytes)).toBe(0);
  expect([table.isStored(block), parts(store)]).toEqual([true, 0]);
  table.put(largeCopy("one", 8, 5 * testPartBytes));
  expect(parts(store)).toBe(6);
  expect(() => decodeBlock(store.table("blocks").get(block.hash)!, rnode.blockForm)).toThrow(WireError);
});

test("another copy takes the place of all parts, a short one too", async () => {
  const store = chainStore();
  const table = partedTable(store);
  const copies = [largeCopy("one", 1, 90_000), largeCopy("one", 2, 30_000), largeCopy("one", 3, 100)];
  const found: number[] = [];
  for (const copy of copies) {
    await table.prepare(copy);
    table.put(copy);
    expect([table.isStored(copy), table.find(copy.hash)!.extraBytes[0]]).toEqual([true, copy.extraBytes[0]]);
    found.push(parts(store));
  }
  expect(found).toEqual([5, 2, 0]);
});

test("parts of an interrupted write are deleted by the next process, before it writes or on request", async () => {
  const store = chainStore();
  const [stored, block] = [largeCopy("stored", 3, 50_000), largeCopy("one", 7, 90_000)];
  partedTable(store).put(stored);
  void partedTable(store, killedAfter(3)).prepare(block);
  await until("four of the first block's parts", () => parts(store) === 3 + 4);
  void partedTable(store, killedAfter(3)).prepare(largeCopy("two", 7, 90_000));
  await until("three of the second block's parts alone", () => parts(store) === 3 + 3);
  await partedTable(store).discardLeftovers();
  expect(parts(store)).toBe(3);
  expect(partedTable(store).isStored(stored)).toBe(true);
});

test("a block in an undone transaction leaves no entry, and its parts serve the next one", async () => {
  const store = chainStore();
  const table = partedTable(store);
  const block = largeCopy("one", 7, 90_000);
  await table.prepare(block);
  const fail = () =>
    store.together(() => {
      table.put(block);
      throw new TypeError("undone");
    });
  expect(fail).toThrow("undone");
  expect([table.has(block.hash), table.find(block.hash), parts(store)]).toEqual([false, undefined, 6]);
  await table.prepare(block);
  table.put(block);
  expect([table.isStored(block), parts(store)]).toEqual([true, 5]);
});

test("a writing that fails leaves no parts", async () => {
  const store = chainStore();
  const table = partedTable(store, () => Promise.reject(new TypeError("the disk is full")));
  await expect(table.prepare(largeCopy("one", 7, 90_000))).rejects.toThrow("the disk is full");
  expect(parts(store)).toBe(0);
});

test("a block of which a part is missing is reported as damaged", () => {
  const store = chainStore();
  const block = largeCopy("one", 7, 90_000);
  partedTable(store).put(block);
  const [[lastKey] = []] = store.table("blockParts").range({ reverse: true, limit: 1 });
  store.write((tables) => tables("blockParts").delete(lastKey!));
  expect(() => partedTable(store).findBytes(block.hash)).toThrow(
    /^Block .{10}\.\.\. is not stored whole; check the disk/,
  );
});
